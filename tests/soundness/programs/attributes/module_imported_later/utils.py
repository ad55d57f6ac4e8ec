import tensorflow as tf

CONFIG = tf.ConfigProto()
