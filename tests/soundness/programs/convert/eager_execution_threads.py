"""Threads of a config for eager execution are those of eager code: nothing else takes them."""
# tensorflow: 1
# expect: safe

import tensorflow as tf

config = tf.ConfigProto()
config.inter_op_parallelism_threads = 2
config.gpu_options.allow_growth = True
tf.enable_eager_execution(config=config)
x = tf.constant([1.0, 2.0])
print(tf.reduce_sum(x * x).numpy())
