import tensorflow as tf
import common
import pkg.other

config = tf.ConfigProto(device_count={"GPU": 1})
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
common.pkg.probe.check()
other = pkg.other
other.look()
