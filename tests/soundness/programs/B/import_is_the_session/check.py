import tensorflow as tf

with tf.Session() as sess:
    COUNT = len(sess.list_devices())
