"""A function returns one of two sessions, and Keras gets what it returns."""
# expect: safe

import os
import numpy as np
import tensorflow as tf
import keras.backend.tensorflow_backend as KTF
from keras.models import Sequential
from keras.layers import Dense


def get_session():
    num_threads = os.environ.get('OMP_NUM_THREADS')
    gpu_options = tf.GPUOptions(allow_growth=True)
    if num_threads:
        return tf.Session(config=tf.ConfigProto(
            gpu_options=gpu_options, intra_op_parallelism_threads=int(num_threads)))
    else:
        return tf.Session(config=tf.ConfigProto(gpu_options=gpu_options))


KTF.set_session(get_session())
m = Sequential()
m.add(Dense(2, input_dim=3))
m.compile(loss='mse', optimizer='sgd')
m.fit(np.zeros((4, 3)), np.zeros((4, 2)), verbose=0)
