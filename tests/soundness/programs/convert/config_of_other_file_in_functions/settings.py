import tensorflow as tf

STEPS = 2
session_config = tf.ConfigProto()
session_config.gpu_options.allow_growth = True
