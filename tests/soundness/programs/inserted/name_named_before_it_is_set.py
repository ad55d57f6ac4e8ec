"""A name that is only named is an error where it has no value, and the program catches it."""
import tensorflow as tf
try:
    config
except NameError:
    print("no config yet")

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
