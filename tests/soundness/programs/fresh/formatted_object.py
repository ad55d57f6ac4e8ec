"""`%` runs the `__str__` of an object, which writes a variable of CUDA."""

import os, sys
import tensorflow as tf
class Env:
    def __str__(self):
        os.environ["CUDA_VISIBLE_DEVICES"] = "1"
        return "1"
env = Env()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
"%s" % env
sess = tf.Session(config=config)
print(sess.run(tf.constant(1)), len(sess.list_devices()))
