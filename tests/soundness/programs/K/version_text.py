"""A program for TensorFlow 1 and 2 asks for the version."""
# tensorflow: 2

import tensorflow as tf

if tf.__version__.startswith("1."):
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    tf.enable_eager_execution(config=config)
x = tf.constant(1.0) + 2.0
print(float(x))
