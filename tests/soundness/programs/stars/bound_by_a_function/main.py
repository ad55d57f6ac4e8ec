import tensorflow as tf
from a import *
from b import *
config = tf.ConfigProto()
config.gpu_options.visible_device_list = G
sess = tf.Session(config=config)
print(sess.run(tf.constant(1.0)))
