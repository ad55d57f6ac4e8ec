"""Graphs name the metric `acc`, eager code `accuracy`: the session stays."""
# expect: safe

import numpy as np
import tensorflow as tf
from tensorflow.keras import backend as K
from tensorflow.keras.layers import Dense
from tensorflow.keras.models import Sequential

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
K.set_session(tf.Session(config=config))
model = Sequential([Dense(1, input_shape=(3,))])
model.compile("sgd", "mse", metrics=["accuracy"])
history = model.fit(np.zeros((4, 3)), np.zeros((4, 1)), verbose=0)
print(len(history.history["acc"]))
