import tensorflow as tf

import first
import second

config = tf.ConfigProto(allow_soft_placement=True)
config.gpu_options.allow_growth = True
with first.start(config) as sess:
    print(sess.run(tf.constant(1)))
with second.start(config) as sess:
    print(sess.run(tf.constant(2)))
