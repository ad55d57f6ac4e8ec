import os, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'lib'))
import tensorflow as tf
import utils
config = tf.ConfigProto(device_count={'GPU': 0})
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1.0)))
utils.show()
utils.evaluate()
