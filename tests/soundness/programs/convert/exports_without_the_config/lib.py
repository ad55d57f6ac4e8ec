import tensorflow as tf

__all__ = []
__all__ += ["sess"]
__all__.append("tf")
print(len(__all__))
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
sess = tf.Session(config=config)
