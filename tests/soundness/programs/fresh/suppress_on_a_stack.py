"""A stack of managers suppresses the error of a session."""

import contextlib

import tensorflow as tf

stack = contextlib.ExitStack()
with stack:
    stack.enter_context(contextlib.suppress(tf.errors.OpError))
    config = tf.ConfigProto()
    config.gpu_options.visible_device_list = "7"
    tf.Session(config=config)
print("on")
