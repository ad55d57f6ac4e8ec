"""The session that Keras is given has a second name, which is read behind that."""

from keras import backend as K
from keras.layers import Dense
from keras.models import Sequential
import numpy as np
import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
sess = session = tf.Session(config=config)
K.set_session(sess)
model = Sequential([Dense(1, input_shape=(3,))])
model.compile("sgd", "mse")
model.fit(np.ones((4, 3)), np.ones((4, 1)), verbose=0)
print(session is None)
