"""`import tensorflow.nn as nn`-like imports of submodules beside the package."""

import tensorflow as tf
import tensorflow.nn as nn

with tf.device("/cpu:0"):
    kept = tf.math.count_nonzero(nn.dropout(tf.ones([1000]), 0.9, seed=1))
with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as sess:
    print(sess.run(kept) > 700)
