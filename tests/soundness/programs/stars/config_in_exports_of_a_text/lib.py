import tensorflow as tf

__all__ = 'sess config'.split()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
sess = tf.Session(config=config)
