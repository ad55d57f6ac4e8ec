"""The names of a class body are listed."""

import tensorflow as tf
class T:
    sess = tf.Session(config=tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True)))
print(sorted(k for k in vars(T) if not k.startswith("_")))
