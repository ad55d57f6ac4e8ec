"""A number for a bool that protobuf refuses."""

import tensorflow as tf
def mk():
    return tf.Session(config=tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=99999999999999999999)))
try:
    s = mk()
except Exception as e:
    print(type(e).__name__); s = tf.Session()
print(s.run(tf.constant(1.)))
