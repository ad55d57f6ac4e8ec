import tensorflow as tf
from quiet import check
from probe import *

config = tf.ConfigProto(device_count={"GPU": 1})
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
check()
