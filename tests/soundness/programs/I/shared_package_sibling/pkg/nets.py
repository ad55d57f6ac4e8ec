import tensorflow as tf
from .ops import one
def net():
    return tf.placeholder_with_default(1, []) + one()
