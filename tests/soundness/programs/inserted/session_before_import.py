"""A session of compat.v1 is made in front of the import that is switched."""
from tensorflow.compat.v1 import Session
with Session() as s:
    print(len(s.list_devices()))
import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
