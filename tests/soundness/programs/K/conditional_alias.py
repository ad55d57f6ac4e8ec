"""`tf = tf.compat.v1` only where TensorFlow is 2."""
# tensorflow: 2

import tensorflow as tf

if tf.__version__ >= "2":
    tf1 = tf.compat.v1
else:
    tf1 = tf
with tf.Graph().as_default():
    config = tf1.ConfigProto(device_count={"GPU": 1})
    with tf1.Session(config=config) as sess:
        print(len(sess.list_devices()))
print(float(tf.constant(3.0)))
