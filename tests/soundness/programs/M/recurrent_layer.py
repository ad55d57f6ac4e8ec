"""A recurrent layer of TensorFlow 2's Keras traces a function, which makes the GPUs, in graphs too."""

import tensorflow as tf
from keras.layers import LSTM

values = LSTM(2)(tf.ones([1, 2, 3]))
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(values).shape)
