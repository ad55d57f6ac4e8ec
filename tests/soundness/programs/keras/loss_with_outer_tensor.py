"""A loss that uses a tensor of the model is computed in graphs only: the session stays."""
# expect: safe

import numpy as np
import tensorflow as tf
from tensorflow.keras import backend as K
from tensorflow.keras.layers import Dense, Input
from tensorflow.keras.models import Model

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
K.set_session(tf.Session(config=config))
x = Input((3,))
code = Dense(2)(x)
model = Model(x, Dense(1)(code))


def loss(true, predicted):
    return K.mean(K.square(true - predicted)) + K.mean(code)


model.compile("sgd", loss=loss)
model.fit(np.zeros((4, 3)), np.zeros((4, 1)), verbose=0)
