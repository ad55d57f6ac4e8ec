"""The first number of `tf.__version__` decides; the call that splits it runs no operation."""
# expect: safe
# tensorflow: 2

import tensorflow as tf

if int(tf.__version__.split(".")[0]) >= 2:
    tf = tf.compat.v1
    tf.disable_eager_execution()
config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = 0.5
with tf.Session(config=config) as sess:
    sess.run(tf.constant([1.0]) + 1)
