import sys
import tensorflow as tf
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
for arg in sys.argv[1:]:
    exec('config.%s' % arg)
with tf.Session(config=config) as s: print(s.run(tf.constant(1)))
