import tensorflow as tf

__all__ = ['sess']
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
sess = tf.Session(config=config)
