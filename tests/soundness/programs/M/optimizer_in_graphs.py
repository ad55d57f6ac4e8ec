"""An optimizer of the package keras computes eagerly, and so fails in graphs of compat.v1."""

import numpy as np
import tensorflow as tf
from keras import backend as K
from keras import layers, models, optimizers

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
K.set_session(tf.Session(config=config))
model = models.Sequential([layers.Dense(1, input_shape=(3,))])
model.compile(loss="mse", optimizer=optimizers.SGD(lr=0.1))
first = K.function([model.layers[0].input], [model.layers[-1].output])
print(first([np.ones((8, 3), "float32")])[0].shape)
