"""A metric of Keras sets its variables in a session of Keras."""

import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.allow_growth = True

mean = tf.keras.metrics.Mean()
mean.reset_states()
with tf.Session(config=config) as sess:
    sess.run(tf.global_variables_initializer())
