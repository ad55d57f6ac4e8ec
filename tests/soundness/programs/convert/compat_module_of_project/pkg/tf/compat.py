import tensorflow as tf

v1 = tf.compat.v1
