"""Settings in front of a session behind a plain dataset."""

import tensorflow as tf


def train():
    data = tf.data.Dataset.range(3).batch(2)
    value = tf.data.make_one_shot_iterator(data).get_next()
    config = tf.ConfigProto(allow_soft_placement=True)
    config.gpu_options.allow_growth = True
    with tf.Session(config=config) as sess:
        print(sess.run(value).shape)


train()
