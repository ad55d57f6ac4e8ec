"""One arm of a conditional expression makes a session with threads, the other one without."""

import sys
import tensorflow as tf
config = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
sess = tf.Session(config=config) if len(sys.argv) > 1 else tf.Session()
print(len(sess.list_devices()))
