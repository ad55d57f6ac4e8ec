"""InteractiveSession with growth alone: it grows anyway."""
# expect: safe

import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
sess = tf.InteractiveSession(config=config)
print(tf.random_uniform([8]).eval().shape)
