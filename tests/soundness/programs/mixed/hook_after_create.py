"""A hook's after_create_session opens a plain session behind the one with hidden GPUs."""

import tensorflow as tf


class Inspect(tf.train.SessionRunHook):
    def after_create_session(self, session, coord):
        with tf.Graph().as_default(), tf.Session() as sess:
            print(len(sess.list_devices()))


tf.train.get_or_create_global_step()
noise = tf.random_uniform([8])
scaffold = tf.train.Scaffold(saver=tf.train.Saver())
creator = tf.train.ChiefSessionCreator(
    scaffold, config=tf.ConfigProto(device_count={"GPU": 1}, allow_soft_placement=True)
)
with tf.train.MonitoredSession(creator, hooks=[Inspect()]) as sess:
    sess.run(noise)
