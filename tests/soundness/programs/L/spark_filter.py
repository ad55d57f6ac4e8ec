"""A DataFrame's filter() is no tf.data; the settings must not move above the import for it."""


class Frame:
    def __init__(self, rows):
        self.rows = rows

    def filter(self, condition):
        return Frame([row for row in self.rows if condition(row)])

    def map(self, function):
        return Frame([function(row) for row in self.rows])


train_df = Frame([1, 2, 3]).filter(lambda row: row > 1)

import tensorflow as tf  # noqa: E402

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([len(train_df.rows)]))
