"""A function makes the first operation in front of the import of TensorFlow."""
try:
    from tensorflow.compat.v1 import placeholder
except ImportError:
    from tensorflow import placeholder

def net():
    return placeholder("float32", [])
x = net()
import tensorflow as tf
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    print(sess.run(x + 1, {x: 1.0}))
