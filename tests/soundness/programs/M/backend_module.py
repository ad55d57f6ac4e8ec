"""The package keras for TensorFlow 2 has no module tensorflow_backend, which more is taken from."""

import numpy as np
import tensorflow as tf
from keras import layers, models
import keras.backend.tensorflow_backend as KTF


def loss(wanted, given):
    return KTF.mean(KTF.square(wanted - given), axis=-1)


config = tf.ConfigProto()
config.gpu_options.allow_growth = True
KTF.set_session(tf.Session(config=config))
model = models.Sequential([layers.Dense(1, input_shape=(3,))])
model.compile(loss=loss, optimizer="adam")
print(model.predict(np.ones((8, 3), "float32"), verbose=0).shape)
