"""A Keras program without graph-only calls becomes a TensorFlow 2 program or stays."""

import numpy as np
import tensorflow as tf
from keras import backend as K
from keras.layers import Dense
from keras.models import Sequential

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
K.set_session(tf.Session(config=config))
model = Sequential([Dense(2, input_shape=(3,))])
print(model.predict(np.ones((1, 3)), verbose=0).shape)
