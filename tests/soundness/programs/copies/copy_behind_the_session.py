"""A config is copied into another one once that had its session."""
import tensorflow as tf
base = tf.ConfigProto(allow_soft_placement=True)
config = tf.ConfigProto()
def fill():
    config.CopyFrom(base)
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
fill()
