import importlib
import sys
import tensorflow as tf
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
importlib.import_module('plugins.%s' % sys.argv[1]).start()
with tf.Session(config=config) as s:
    print(s.run(tf.placeholder_with_default(1, [])))
