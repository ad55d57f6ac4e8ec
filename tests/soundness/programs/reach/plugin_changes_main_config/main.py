import importlib, sys
import tensorflow as tf
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
p = importlib.import_module('plugins.%s' % (sys.argv[1:] or ['p'])[0])
p.start()
with tf.Session(config=config) as s: print(s.run(tf.placeholder_with_default(1, [])), len(s.list_devices()))
p.stop()
