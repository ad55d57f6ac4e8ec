"""A monitored session with a hook that opens a plain session when it begins."""

import tensorflow as tf


class Inspect(tf.train.SessionRunHook):
    def begin(self):
        with tf.Graph().as_default(), tf.Session() as sess:
            sess.run(tf.random_uniform([8]))


tf.train.get_or_create_global_step()
noise = tf.random_uniform([8])
config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = 0.4
scaffold = tf.train.Scaffold(saver=tf.train.Saver())
creator = tf.train.ChiefSessionCreator(scaffold, config=config)
with tf.train.MonitoredSession(creator, hooks=[Inspect()]) as sess:
    sess.run(noise)
