"""A dimension of a shape has a value in graphs only: the session stays."""
# expect: safe

import numpy as np
import tensorflow as tf
from tensorflow.keras import backend as K
from tensorflow.keras.layers import Dense, Lambda
from tensorflow.keras.models import Sequential

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
K.set_session(tf.Session(config=config))
model = Sequential([Dense(2, input_shape=(3,)), Lambda(lambda x: x * x.shape[1].value)])
model.compile("sgd", "mse")
model.fit(np.zeros((4, 3)), np.zeros((4, 2)), verbose=0)
