"""Graphs name a metric `acc` in the history, which is shown as a whole: the session stays."""
# expect: safe

import numpy as np
import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
tf.keras.backend.set_session(tf.Session(config=config))
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,))])
model.compile("sgd", "mse", metrics=["accuracy"])
history = model.fit(np.zeros((4, 3)), np.zeros((4, 1)), verbose=0)
print(sorted(history.history))
