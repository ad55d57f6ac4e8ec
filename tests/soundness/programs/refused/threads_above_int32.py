"""A number of threads that protobuf refuses, which the program expects."""

import tensorflow as tf
def sess():
    config = tf.ConfigProto()
    config.inter_op_parallelism_threads = 3000000000
    return tf.Session(config=config)
try:
    s = sess()
except ValueError as e:
    s = tf.Session()
print(s.run(tf.constant(1.0)))
