import tensorflow as tf
from conf import *
config = tf.ConfigProto()
config.gpu_options.allow_growth = growth
growth = False
sess = tf.Session(config=config)
print(sess.run(tf.constant(1.0)))
