import tensorflow as tf


def __getattr__(name):
    if name == "size":
        return int(tf.Session().run(tf.random_uniform([8])).shape[0])
    raise AttributeError(name)
