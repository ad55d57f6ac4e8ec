"""The program asks for the name of TensorFlow."""
import tensorflow as tf
print(tf.__name__)

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
