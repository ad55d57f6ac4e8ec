import tensorflow as tf

with tf.Session() as sess:
    print(len(sess.list_devices()))
