import setup
import tensorflow as tf

config = tf.ConfigProto(device_count={"GPU": 2})
with tf.Session(config=config) as sess:
    print(setup.HIDDEN, len(sess.list_devices()))
with tf.Session() as sess:
    print(len(sess.list_devices()))
