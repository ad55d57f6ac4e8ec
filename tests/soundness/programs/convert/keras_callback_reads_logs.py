"""A callback of Keras reads the dictionary that Keras gives it, in a class above the config."""
# expect: safe

import numpy as np
import tensorflow as tf
from tensorflow import keras


class History(keras.callbacks.Callback):
    def on_train_begin(self, logs=None):
        self.losses = []

    def on_epoch_end(self, epoch, logs=None):
        self.losses.append(logs.get("loss"))
        print(epoch, len(self.losses))


config = tf.ConfigProto()
config.gpu_options.allow_growth = True
keras.backend.set_session(tf.Session(config=config))
model = keras.models.Sequential([keras.layers.Dense(1, input_shape=(2,))])
model.compile(loss="mse", optimizer="sgd")
model.fit(np.zeros((4, 2)), np.zeros((4, 1)), verbose=0, callbacks=[History()])
