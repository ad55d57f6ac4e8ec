"""A Keras model of graph mode: its tensors are read by the session that was set."""

import tensorflow as tf
from keras import backend as K
from keras.layers import Dense, Input
from keras.models import Model

config = tf.ConfigProto(allow_soft_placement=True)
config.gpu_options.allow_growth = True
K.set_session(tf.Session(config=config))
inputs = Input((3,))
model = Model(inputs, Dense(2)(inputs))
output = K.get_session().run(model.output, {model.input: [[1.0, 2.0, 3.0]]})
print(output.shape)
