"""Data and callbacks before the settings make no GPUs: the session for Keras goes."""

import numpy as np
import tensorflow as tf
from keras import backend as K
from keras import callbacks, layers, models, regularizers
from keras.utils import to_categorical

wanted = to_categorical(np.array([0, 1, 1]), 2)
stops = callbacks.EarlyStopping(monitor="loss")
decay = regularizers.l2(0.01)
K.set_epsilon(1e-6)
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
K.set_session(tf.Session(config=config))
model = models.Sequential([layers.Dense(2, input_shape=(3,), kernel_regularizer=decay)])
model.compile(loss="mse", optimizer="adam")
model.fit(np.ones((3, 3), "float32"), wanted, verbose=0, callbacks=[stops])
