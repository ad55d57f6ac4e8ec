import tensorflow as tf

with tf.device("/cpu:0"):
    PI = tf.constant(3.14)
