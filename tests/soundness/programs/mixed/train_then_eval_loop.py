"""Train and evaluate take turns, each with its own graph, session and config."""

import tensorflow as tf

TRAIN = tf.ConfigProto(allow_soft_placement=True)
TRAIN.gpu_options.allow_growth = True
EVAL = tf.ConfigProto(device_count={"GPU": 1})


def run(config, units):
    with tf.Graph().as_default(), tf.Session(config=config) as sess:
        return sess.run(tf.random_uniform([units])).shape, len(sess.list_devices())


for epoch in range(2):
    print(epoch, run(TRAIN, 4), run(EVAL, 2))
