from frames import read

table = read().map(lambda row: row + 1).filter(lambda row: row > 1)
import tensorflow as tf

with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as sess:
    sess.run(tf.random_uniform([len(table.rows)]))
