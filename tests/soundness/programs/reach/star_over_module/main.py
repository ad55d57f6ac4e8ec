import tensorflow as tf
import tools
from names import *

config = tf.ConfigProto(device_count={"GPU": 1})
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
tools.check()
