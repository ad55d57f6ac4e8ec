"""Only graphs let two models share an optimizer: the session stays."""
# expect: safe

import numpy as np
import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
tf.keras.backend.set_session(tf.Session(config=config))
optimizer = tf.keras.optimizers.SGD(0.1)
for width in (1, 2):
    model = tf.keras.Sequential([tf.keras.layers.Dense(width, input_shape=(3,))])
    model.compile(optimizer, "mse")
    model.fit(np.zeros((4, 3)), np.zeros((4, width)), verbose=0)
