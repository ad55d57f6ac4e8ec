import os
import sys
import tensorflow as tf
import conf
if len(sys.argv) > 1:
    conf.GPU = sys.argv[1]
config = tf.ConfigProto()
config.gpu_options.visible_device_list = str(conf.gpu())
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1) + 1))
