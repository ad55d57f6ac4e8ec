"""A function makes a session before its config is there, and the error is caught."""
import tensorflow as tf
def get():
    return tf.Session(config=config)
try:
    get()
except NameError:
    print("no config yet")

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
