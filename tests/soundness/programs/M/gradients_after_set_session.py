"""Grad-CAM: K.gradients needs graph mode behind set_session."""

import tensorflow as tf
from keras import backend as K

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
K.set_session(tf.Session(config=config))
x = tf.placeholder(tf.float32, [2])
grads = K.gradients(K.sum(x * x), [x])
print(len(grads))
