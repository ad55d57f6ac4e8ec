"""interleave opens datasets of records; then a session with threads."""

import tensorflow as tf

with tf.Session() as sess:
    sess.run(tf.random_uniform([8]))
files = tf.data.Dataset.from_tensor_slices(["a", "b"])
data = files.interleave(tf.data.TFRecordDataset, cycle_length=2)
with tf.Session(config=tf.ConfigProto(inter_op_parallelism_threads=3)) as sess:
    sess.run(tf.random_uniform([8]))
