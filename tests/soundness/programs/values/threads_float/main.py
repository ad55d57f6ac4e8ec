import multiprocessing
import tensorflow as tf
n = multiprocessing.cpu_count() / 1
config = tf.ConfigProto()
try:
    config.inter_op_parallelism_threads = n
    print('ok')
except TypeError:
    print('TypeError')
with tf.Session(config=config) as s: print(s.run(tf.constant(1)))
