"""An optimizer is found by its name in a module: the program goes on with TensorFlow 1."""
# expect: safe

import numpy as np
import tensorflow as tf
from tensorflow.keras import optimizers

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
tf.keras.backend.set_session(tf.Session(config=config))
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,))])
model.compile(getattr(optimizers, "Adam")(lr=0.01), "mse")
model.fit(np.zeros((4, 3)), np.zeros((4, 1)), verbose=0)
