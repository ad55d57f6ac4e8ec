import tensorflow as tf
from tensorflow.keras.models import Model
from tensorflow.keras.layers import Dense, Input


def build_model():
    with tf.device('/cpu:0'):
        inp = Input(shape=(4,))
        m = Model(inputs=inp, outputs=Dense(1)(inp))
    m.compile(optimizer='sgd', loss='mse')
    return m
