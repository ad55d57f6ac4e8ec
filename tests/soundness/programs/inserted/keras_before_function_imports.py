"""A model of Keras is made in front of a function that imports TensorFlow."""
import numpy as np
from keras.models import Sequential
from keras.layers import Dense

model = Sequential([Dense(1, input_shape=(2,), kernel_initializer="zeros")])
model.compile("sgd", "mse")


def set_growth():
    import tensorflow as tf
    from keras.backend.tensorflow_backend import set_session
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    set_session(tf.Session(config=config))


set_growth()
print(model.predict(np.zeros((1, 2))).shape)
