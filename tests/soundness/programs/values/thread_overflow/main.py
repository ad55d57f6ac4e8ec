import tensorflow as tf
n = 2 ** 31
try:
    config = tf.ConfigProto(intra_op_parallelism_threads=n)
except ValueError as e:
    print('ValueError'); raise SystemExit(2)
with tf.Session(config=config) as s: print(s.run(tf.constant(1)))
