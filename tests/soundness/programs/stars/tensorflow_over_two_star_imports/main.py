import tensorflow as tf
from work import *

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1.0) + 1.0))
