"""A class of the project that is called Dataset and has map, filter and batch is no tf.data."""
# expect: safe

import tensorflow as tf


class Dataset:
    def __init__(self, rows):
        self.rows = rows

    def map(self, function):
        return Dataset([function(row) for row in self.rows])

    def batch(self, size):
        return [self.rows[:size]]


batches = Dataset([1, 2, 3]).map(lambda row: row + 1).batch(2)
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform(batches[0]))
