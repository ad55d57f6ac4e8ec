import tensorflow as tf

from names import __all__
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
sess = tf.Session(config=config)
