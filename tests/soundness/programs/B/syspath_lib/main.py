import sys, os
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), 'lib'))
import tensorflow as tf
import task
config = tf.ConfigProto()
config.gpu_options.visible_device_list = '0'
with tf.Session(config=config) as s: print(s.run(tf.constant(1)))
task.run()
