"""A number of threads that is an array, changed after the config has copied it."""

import tensorflow as tf
import numpy as np
n = np.array(3)
config = tf.ConfigProto(inter_op_parallelism_threads=n)
n -= 2
s = tf.Session(config=config)
print(s.run(tf.constant(1.0)))
