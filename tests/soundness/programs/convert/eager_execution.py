"""tf.enable_eager_execution(config=c): tf.config configures eager programs."""
# tensorflow: 1
# expect: safe

import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
tf.enable_eager_execution(config=config)
print(tf.random.uniform([8]).shape)
