"""An internal module of TensorFlow computes in front of the import that is switched."""
from tensorflow.python.framework import ops
from tensorflow.python.ops import array_ops
x = array_ops.zeros([2])
import tensorflow as tf
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    print(sess.run(x + 1))
