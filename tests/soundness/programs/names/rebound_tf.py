"""The name tf stands for something else at the end of the file."""

import tensorflow as tf

config = tf.ConfigProto(allow_soft_placement=True)
sess = tf.Session(config=config)
sess.run(tf.random_uniform([8]))
tf = "transfer function"
print(tf)
