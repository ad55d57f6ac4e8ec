import tensorflow as tf
import sys
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
sess = tf.Session(config=config)
print(sess.run(tf.constant(1)), hasattr(sys.modules[__name__], 'config'))
