import tensorflow as tf
from cfg import *
if N > 5:
    CPUS = 1
config = tf.ConfigProto(device_count={"GPU": NG})
if N > 5:
    NG = -1
sess = tf.Session(config=config)
print(len(sess.list_devices()))
