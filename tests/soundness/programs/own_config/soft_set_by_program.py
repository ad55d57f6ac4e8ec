"""The program itself turns soft placement on for its plain sessions; one session has it off."""

import tensorflow as tf

tf.config.set_soft_device_placement(True)


def run(config=None):
    with tf.Graph().as_default(), tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))


run()
run(tf.ConfigProto(allow_soft_placement=False, log_device_placement=True))
run()
