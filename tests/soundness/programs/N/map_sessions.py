"""map(tf.Session, targets) makes plain sessions."""

import tensorflow as tf

with tf.Session(config=tf.ConfigProto(device_count={"GPU": 0})) as sess:
    sess.run(tf.random_uniform([8]))
print([len(sess.list_devices()) for sess in map(tf.Session, [""])])
