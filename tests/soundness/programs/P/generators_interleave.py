"""Two generators build their configs first, then make their sessions."""

import tensorflow as tf


def train(gpus):
    config = tf.ConfigProto(device_count={"GPU": gpus})
    yield
    with tf.Graph().as_default(), tf.Session(config=config) as sess:
        print(len(sess.list_devices()))
    yield


runs = [train(2), train(1), train(0)]
for _ in range(2):
    for run in runs:
        next(run)
