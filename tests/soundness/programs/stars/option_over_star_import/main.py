import tensorflow as tf
from opts import *
if args.debug:
    GPU = "1"
config = tf.ConfigProto()
config.gpu_options.visible_device_list = GPU
config.gpu_options.allow_growth = True
sess = tf.Session(config=config)
print(sess.run(tf.constant(1.0)))
