"""A rank of the program's own may be -1, which is no GPU in a list and all of a count."""

import tensorflow as tf


class Worker:
    def rank(self):
        return -1


worker = Worker()
config = tf.ConfigProto(device_count={"GPU": worker.rank()})
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
