import tensorflow as tf

CONFIG = tf.ConfigProto(allow_soft_placement=True)
