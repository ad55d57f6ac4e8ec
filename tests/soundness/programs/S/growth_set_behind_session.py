"""Growth is set between two sessions of one config: too late, before and after."""
# expect: safe

import tensorflow as tf
c = tf.ConfigProto()
s = tf.Session(config=c)
c.gpu_options.allow_growth = True
print(s.run(tf.constant(1)))
with tf.Session(config=c) as s: print(s.run(tf.constant(2)))
