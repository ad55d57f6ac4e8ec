"""compat.v2.compat.v1 and compat.v1.compat.v1 are TensorFlow 1's names."""
# expect: safe

import tensorflow as tf

tf.compat.v1.disable_v2_behavior()
config = tf.compat.v2.compat.v1.ConfigProto()
config.gpu_options.allow_growth = True
with tf.compat.v1.compat.v1.Session(config=config) as sess:
    sess.run(tf.random.uniform([8]))
