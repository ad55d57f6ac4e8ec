"""The session is made in an except handler, behind one that fails."""

import tensorflow as tf

config = tf.ConfigProto(device_count={"GPU": 1})
try:
    sess = tf.Session("nowhere")
except Exception:
    sess = tf.Session(config=config)
else:
    sess = None
print(len(sess.list_devices()), len(tf.Session().list_devices()))
