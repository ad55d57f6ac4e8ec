"""A config is copied into a new one."""
# expect: safe
import tensorflow as tf
base = tf.ConfigProto(allow_soft_placement=True)
base.gpu_options.allow_growth = True
config = tf.ConfigProto()
config.CopyFrom(base)
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
