"""A subclass of tf.Graph makes a plain session when it is finalized; the session finalizes it."""

import tensorflow as tf


class Checked(tf.Graph):
    def finalize(self):
        super().finalize()
        with tf.Session(graph=tf.Graph()) as sess:
            print(len(sess.list_devices()))


graph = Checked()
with graph.as_default():
    noise = tf.random_uniform([8])
config = tf.ConfigProto(device_count={"GPU": 1}, allow_soft_placement=True)
with tf.Session(graph=graph, config=config) as sess:
    graph.finalize()
    print(sess.run(noise).shape, len(sess.list_devices()))
