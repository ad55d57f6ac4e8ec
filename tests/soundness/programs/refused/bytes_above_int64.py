"""A number of bytes that protobuf refuses, in a field without an equivalent."""

import tensorflow as tf
def mk():
    return tf.Session(config=tf.ConfigProto(gpu_options=tf.GPUOptions(deferred_deletion_bytes=99999999999999999999, allow_growth=True)))
try:
    s = mk()
except ValueError:
    print("VE"); s = tf.Session()
print(s.run(tf.constant(1.)))
