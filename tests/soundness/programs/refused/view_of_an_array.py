"""A number of threads that is a view of an array."""

import tensorflow as tf
import numpy as np
a = np.array([3, 1])
n = a[0, ...]
config = tf.ConfigProto()
config.inter_op_parallelism_threads = n
a[0] = 1
s = tf.Session(config=config)
print(s.run(tf.constant(1.0)))
