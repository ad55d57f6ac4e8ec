"""A dictionary that is unpacked into a config is changed through `globals()`."""

import tensorflow as tf

OPTIONS = {"allow_soft_placement": False}
globals()["OPTIONS"]["allow_soft_placement"] = True

sess = tf.Session(config=tf.ConfigProto(**OPTIONS))
with tf.device("/gpu:7"):
    print(sess.run(tf.constant(1)))
