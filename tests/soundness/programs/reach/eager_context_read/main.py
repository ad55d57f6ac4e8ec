import tensorflow as tf
from tensorflow.python.eager import context
x = tf.placeholder_with_default(1, [])
config = tf.ConfigProto(intra_op_parallelism_threads=3)
config.gpu_options.allow_growth = True
with tf.Session(config=config) as s: print(s.run(x))
print(context.context().intra_op_parallelism_threads)
