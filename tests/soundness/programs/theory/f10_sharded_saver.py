"""A sharded Saver is made between two sessions with the same config."""

import tensorflow as tf


def train():
    with tf.Graph().as_default():
        tf.Variable(1.0)
        config = tf.ConfigProto(gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=0.4))
        with tf.Session(config=config) as sess:
            sess.run(tf.global_variables_initializer())
        tf.train.Saver(sharded=True)


train()
train()
