"""A manager is the decorator of the function that makes the session."""

import contextlib

import tensorflow as tf


class ignoring(contextlib.ContextDecorator):
    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        return kind is not None and issubclass(kind, tf.errors.OpError)


@ignoring()
def work():
    config = tf.ConfigProto()
    config.gpu_options.visible_device_list = "7"
    tf.Session(config=config)


work()
print("on")
