"""The session that Keras is given is made in the test of an `if`, of which the block runs."""

from keras import backend as K
from keras.layers import Dense
from keras.models import Sequential
import numpy as np
import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
if (session := tf.Session(config=config)):
    print("session made")
K.set_session(session)
model = Sequential([Dense(1, input_shape=(3,))])
model.compile("sgd", "mse")
model.fit(np.ones((4, 3)), np.ones((4, 1)), verbose=0)
