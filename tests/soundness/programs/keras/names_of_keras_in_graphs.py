"""Layers, optimizers and the session are imported from tensorflow.keras; a placeholder needs graphs."""
# expect: safe

import numpy as np
import tensorflow as tf
from tensorflow.keras.layers import Dense, LSTM, BatchNormalization
from tensorflow.keras.models import Sequential
from tensorflow.keras.optimizers import SGD
from tensorflow.keras import backend as K
from tensorflow.keras.utils import to_categorical

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
K.set_session(tf.Session(config=config))
x = tf.placeholder(tf.float32, [None, 3, 3])
m = Sequential([LSTM(4, input_shape=(3, 3)), BatchNormalization(), Dense(1)])
m.compile(SGD(lr=0.1), 'mse')
m.fit(np.zeros((4, 3, 3)), np.zeros((4, 1)), verbose=0)
print(K.get_session().run(m(x), {x: np.ones((2, 3, 3))}).shape)
