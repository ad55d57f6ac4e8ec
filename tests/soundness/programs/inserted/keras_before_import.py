"""A model of Keras is made in front of the import that is switched."""
from keras.layers import Dense
from keras.models import Sequential
from keras import backend as K
import numpy as np
m = Sequential()
m.add(Dense(1, input_shape=(2,), kernel_initializer="zeros"))
m.compile("sgd", "mse")
import tensorflow as tf
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
K.set_session(tf.Session(config=config))
m.fit(np.zeros((2, 2)), np.zeros((2, 1)), verbose=0)
print(m.predict(np.zeros((1, 2))))
