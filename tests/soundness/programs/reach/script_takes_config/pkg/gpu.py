import tensorflow as tf
config = tf.ConfigProto(allow_soft_placement=True)
