"""Modules and names of tensorflow.keras are imported with `*` and used by getattr, in graphs."""
# expect: safe

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers, optimizers
from tensorflow.keras.layers import *
from tensorflow.keras.backend import set_session
from tensorflow.keras.callbacks import TensorBoard

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
sess = tf.Session(config=config)
set_session(sess)
x = tf.placeholder(tf.float32, [None, 3, 3])
m = keras.models.Sequential([layers.GRU(4, input_shape=(3, 3)), BatchNormalization(), Dense(1)])
m.compile(getattr(optimizers, "Adam")(lr=0.1), 'mse')
m.fit(np.zeros((4, 3, 3)), np.zeros((4, 1)), verbose=0)
print(sess.run(m(x), {x: np.ones((2, 3, 3))}).shape)
