"""The program asks in which file TensorFlow is."""
import tensorflow as tf
import os
print(os.path.basename(os.path.dirname(tf.__file__)))

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
