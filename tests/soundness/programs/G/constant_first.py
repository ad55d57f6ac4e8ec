"""Something eager comes first; then a session with a config, which tf.config could not serve."""
# tensorflow: 2

import tensorflow as tf

x = tf.constant(1.0) + 1.0
with tf.Graph().as_default():
    config = tf.compat.v1.ConfigProto()
    config.gpu_options.allow_growth = True
    with tf.compat.v1.Session(config=config) as sess:
        sess.run(tf.random.uniform([8]))
print(x.shape)
