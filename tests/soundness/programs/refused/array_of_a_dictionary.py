"""A number of threads that is an array of a dictionary."""

import tensorflow as tf
import numpy as np
d = {"n": np.array(2)}
config = tf.ConfigProto()
config.inter_op_parallelism_threads = d["n"]
d["n"] += 2
s = tf.Session(config=config)
print(s.run(tf.constant(1.)))
