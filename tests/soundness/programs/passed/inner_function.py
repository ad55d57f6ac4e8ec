"""An inner function makes the session of the config that the outer one takes."""
# expect: safe

import os
import sys

import tensorflow as tf

def outer(config):
    def inner():
        return tf.Session(config=config)
    return inner
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
make = outer(config)
print(make().run(tf.constant(1)))
