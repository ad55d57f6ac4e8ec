"""The statement that makes the session makes a plain one before it."""
import tensorflow as tf

config = tf.ConfigProto(device_count={"GPU": 1})
plain, sess = tf.Session(), tf.Session(config=config)
print(len(plain.list_devices()), len(sess.list_devices()))
