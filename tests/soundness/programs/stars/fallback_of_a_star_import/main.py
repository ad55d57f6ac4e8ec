import tensorflow as tf
try:
    from local import *
except ImportError:
    GPU = "0"
config = tf.ConfigProto()
config.gpu_options.visible_device_list = GPU
s = tf.Session(config=config)
print(s.run(tf.constant(1.)))
