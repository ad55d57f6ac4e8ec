import tensorflow as tf

CONFIG = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
