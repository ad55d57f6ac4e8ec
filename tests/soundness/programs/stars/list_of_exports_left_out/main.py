import tensorflow as tf
from a1 import *
from a2 import *
config = tf.ConfigProto()
config.gpu_options.visible_device_list = GPU
sess = tf.Session(config=config)
print(sess.run(tf.constant(1.0)))
