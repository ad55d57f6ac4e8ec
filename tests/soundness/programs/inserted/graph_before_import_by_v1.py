"""A placeholder of compat.v1 is made in front of the import that is switched."""
from tensorflow.compat import v1
x = v1.placeholder("float32", [])
import tensorflow as tf
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    print(sess.run(x + 1, {x: 2.0}))
