"""Grad-CAM: K.gradients needs graph mode behind set_session, and no other name says so."""

import tensorflow as tf
from keras import backend as K

config = tf.ConfigProto(allow_soft_placement=True)
config.gpu_options.allow_growth = True
K.set_session(tf.Session(config=config))
x = K.placeholder((2,))
grads = K.gradients(K.sum(x * x), [x])
heat = K.function([x], grads)
print(heat([[1.0, 2.0]])[0].shape)
