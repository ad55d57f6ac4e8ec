"""The first operation stands in front of the import of TensorFlow."""
try:
    from tensorflow.compat.v1 import placeholder
except ImportError:
    from tensorflow import placeholder
x = placeholder("float32", [])
import tensorflow as tf
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    print(sess.run(x + 1, {x: 1.0}))
