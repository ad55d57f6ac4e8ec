from lazy import tf
def net():
    return tf.placeholder_with_default(1, [])
