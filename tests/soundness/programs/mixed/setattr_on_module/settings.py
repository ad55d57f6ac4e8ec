import tensorflow as tf

CONFIG = tf.ConfigProto()
CONFIG.gpu_options.allow_growth = True
