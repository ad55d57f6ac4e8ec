import common
import tensorflow as tf

with common.session() as sess:
    sess.run(tf.random_uniform([8]))
