import os
import tensorflow as tf
config = tf.ConfigProto()
try:
    config.intra_op_parallelism_threads = os.environ.get('OMP', '2')
except TypeError:
    print('TypeError'); config.intra_op_parallelism_threads = 2
with tf.Session(config=config) as s: print(s.run(tf.constant(1)))
