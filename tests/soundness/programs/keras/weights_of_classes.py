"""Graphs take weights of classes that eager code refuses: the session stays."""
# expect: safe

import numpy as np
import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
tf.keras.backend.set_session(tf.Session(config=config))
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,))])
model.compile("sgd", "mse")
model.fit(np.zeros((4, 3)), np.zeros((4, 1)), class_weight="auto", verbose=0)
