"""Graph mode is turned on after the file has computed something."""

# tensorflow: 2

import tensorflow as tf
def mk(): return tf.constant(3) + 1
if tf: y = mk()
tf.compat.v1.disable_eager_execution()
c = tf.compat.v1.ConfigProto(); c.gpu_options.allow_growth = True
with tf.compat.v1.Session(config=c) as s: print(y)
