"""Only optimizers of tensorflow.compat.v1 take a decay: session and import go there."""
# expect: safe

import numpy as np
import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
tf.keras.backend.set_session(tf.Session(config=config))
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,))])
model.compile(tf.keras.optimizers.SGD(lr=0.1, decay=1e-4), "mse")
model.fit(np.zeros((4, 3)), np.zeros((4, 1)), verbose=0)
