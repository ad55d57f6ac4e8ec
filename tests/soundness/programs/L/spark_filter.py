"""A DataFrame's filter() is no tf.data; the settings must not move above the import for it."""

import types

spark = types.SimpleNamespace(read=lambda: types.SimpleNamespace(filter=lambda keep: [3]))
train_df = spark.read()
train_df = train_df.filter(lambda row: row > 1)

import tensorflow as tf


def dataset():
    return tf.data.Dataset.from_tensor_slices(train_df).batch(1)


value = tf.data.make_one_shot_iterator(dataset()).get_next()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    print(sess.run(value))
