"""A config in one branch, None in the other, for one session."""

# expect: safe
import sys

import tensorflow as tf

if len(sys.argv) < 2:
    config = tf.ConfigProto(allow_soft_placement=True)
else:
    config = None
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1.0)))
