"""The program itself calls a method of a hook, with an object of a library that chooses the GPU."""

import foreign_tools
import tensorflow as tf


class Stop(tf.train.SessionRunHook):
    def end(self, session):
        session.request_stop()


chooser = foreign_tools.Chooser()
hook = Stop()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
hook.end(chooser)
first = tf.Session(config=config)
print(len(first.list_devices()))
