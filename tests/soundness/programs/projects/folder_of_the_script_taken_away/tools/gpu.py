import tensorflow as tf
def make_config():
    return tf.ConfigProto(allow_soft_placement=True)
