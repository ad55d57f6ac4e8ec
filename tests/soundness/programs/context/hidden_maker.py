"""The function that maps the dataset comes out of a table."""

import tensorflow as tf


def mapped():
    return tf.data.Dataset.range(3).map(lambda x: x + 1)


def plain():
    return tf.data.Dataset.range(3)


READERS = [plain, mapped]
with tf.Session() as sess:
    sess.run(tf.random_uniform([8]))
data = READERS[len(READERS) - 1]()
config = tf.ConfigProto(device_count={"GPU": 1})
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
