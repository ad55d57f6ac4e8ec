"""A number of threads that is an array, filled after the config has copied it."""

import tensorflow as tf
import numpy as np
n = np.ones((), dtype=np.int64)
config = tf.ConfigProto()
config.inter_op_parallelism_threads = n
n.fill(3)
s = tf.Session(config=config)
print(s.run(tf.constant(1.0)))
