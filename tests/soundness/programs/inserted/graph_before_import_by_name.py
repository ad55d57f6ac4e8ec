"""A placeholder by its own name is made in front of the import that is switched."""
from tensorflow.compat.v1 import placeholder, float32
x = placeholder(float32, [])
import tensorflow as tf
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    print(sess.run(x + 1, {x: 2.0}))
