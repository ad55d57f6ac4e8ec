import tensorflow as tf
def __getattr__(name):
    if name == "value":
        return tf.constant(5)
    raise AttributeError(name)
