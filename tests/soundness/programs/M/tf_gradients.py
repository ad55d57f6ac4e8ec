"""tf.gradients behind Keras' set_session."""

import tensorflow as tf
from tensorflow.keras import backend as K

config = tf.ConfigProto(allow_soft_placement=True)
config.gpu_options.allow_growth = True
K.set_session(tf.Session(config=config))
x = K.placeholder((2,))
loss = tf.gradients(K.sum(x * x), [x])
print(K.get_session().run(loss, {x: [1.0, 2.0]})[0].shape)
