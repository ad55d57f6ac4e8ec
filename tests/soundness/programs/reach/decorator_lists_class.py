"""A decorator lists what a class has."""

import tensorflow as tf
def show(cls):
    print(sorted(k for k in cls.__dict__ if not k.startswith("_")))
    return cls
@show
class T:
    sess = tf.Session(config=tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True)))
