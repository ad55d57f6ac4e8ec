import tensorflow as tf
import tf_util

with tf_util.single_threaded_session() as sess:
    sess.run(tf.random_uniform([8]))
