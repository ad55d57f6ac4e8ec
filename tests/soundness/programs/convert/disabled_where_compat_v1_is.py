"""`tf` becomes compat.v1, where a TensorFlow has that, and runs as TensorFlow 1 there."""
# expect: safe
# tensorflow: 2

import tensorflow as tf

if hasattr(tf, "compat") and hasattr(tf.compat, "v1"):
    tf = tf.compat.v1
    tf.disable_v2_behavior()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    sess.run(tf.constant([1.0]) + 1)
