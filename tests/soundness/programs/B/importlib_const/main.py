import importlib
import tensorflow as tf
config = tf.ConfigProto()
config.gpu_options.visible_device_list = '0'
with tf.Session(config=config) as s: print(len(s.list_devices()))
importlib.import_module('task').run()
