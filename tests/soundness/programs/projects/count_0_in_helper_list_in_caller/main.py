import sys
import tensorflow as tf
from gpu import make_config
config = make_config()
config.gpu_options.visible_device_list = '0'
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1.0)))
