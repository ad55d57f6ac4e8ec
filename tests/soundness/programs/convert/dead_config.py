"""A config that reaches no session keeps no other."""
# expect: safe
# kept: 7

import tensorflow as tf

unused = tf.ConfigProto()
unused.graph_options.timeline_step = 3
config = tf.ConfigProto(allow_soft_placement=True)
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
