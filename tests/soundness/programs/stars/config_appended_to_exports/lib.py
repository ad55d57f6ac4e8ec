import tensorflow as tf

__all__ = ['sess']


def export(name):
    __all__.append(name)


export('config')
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
sess = tf.Session(config=config)
