"""A perceptron that Adam trains, in Keras."""

import numpy as np
import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
tf.config.set_soft_device_placement(False)
with tf.device("/gpu:0"):
    model = tf.keras.Sequential(
        [
            tf.keras.layers.Dense(48, activation="relu", input_shape=(64,)),
            tf.keras.layers.Dense(10),
        ]
    )
model.compile(
    tf.keras.optimizers.Adam(0.001),
    tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
)
random = np.random.RandomState(0)
data = random.rand(32, 64).astype("float32")
labels = random.randint(0, 10, 32)
model.fit(data, labels, batch_size=32, epochs=3, shuffle=False, verbose=2)
