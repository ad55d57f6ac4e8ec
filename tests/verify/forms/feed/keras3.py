"""A product with what is given, in a Keras 3 model."""

import keras
import numpy as np
import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
tf.config.set_soft_device_placement(False)


class Model(keras.Model):
    def __init__(self):
        super().__init__()
        normal = keras.initializers.RandomNormal(stddev=1.0)
        self.first = keras.layers.Dense(40, activation="relu", kernel_initializer=normal)
        self.second = keras.layers.Dense(
            10, activation="softmax", use_bias=False, kernel_initializer=normal
        )
        with tf.device("/gpu:1"):  # a layer that call() builds has its weights on GPU:0
            self.first.build([None, 100])
        with tf.device("/gpu:0"):
            self.second.build([None, 40])

    def call(self, x):
        with tf.device("/gpu:1"):
            hidden = self.first(x)
        with tf.device("/gpu:0"):
            return self.second(hidden)


model = Model()
model.compile(jit_compile=False)
data = np.random.RandomState(0).rand(32, 100).astype("float32")
for number in range(3):
    print(model.predict_on_batch(data + number).sum())
