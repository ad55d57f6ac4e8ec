"""A perceptron that Adam trains, in Keras 3."""

import keras
import numpy as np
import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
tf.config.set_soft_device_placement(False)
with tf.device("/gpu:0"):
    model = keras.Sequential(
        [
            keras.layers.Input((64,)),
            keras.layers.Dense(48, activation="relu"),
            keras.layers.Dense(10),
        ]
    )
model.compile(
    jit_compile=False,
    optimizer=keras.optimizers.Adam(0.001),
    loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
)
random = np.random.RandomState(0)
data = random.rand(32, 64).astype("float32")
labels = random.randint(0, 10, 32)
model.fit(data, labels, batch_size=32, epochs=3, shuffle=False, verbose=2)
