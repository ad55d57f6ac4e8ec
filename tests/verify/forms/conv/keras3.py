"""A convolution with batch normalization, in Keras 3."""

import keras
import numpy as np
import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
tf.config.set_soft_device_placement(False)
layers = keras.layers
with tf.device("/gpu:0"):
    model = keras.Sequential(
        [
            layers.Input((16, 16, 3)),
            layers.Conv2D(12, 3, padding="same", use_bias=False),
            layers.BatchNormalization(),
            layers.ReLU(),
            layers.MaxPooling2D(2, 2),
            layers.GlobalAveragePooling2D(),
            layers.Dense(10, use_bias=False),
        ]
    )
model.compile(
    jit_compile=False,
    optimizer=keras.optimizers.SGD(0.1),
    loss=keras.losses.CategoricalCrossentropy(from_logits=True),
)
random = np.random.RandomState(0)
data = random.rand(8, 16, 16, 3).astype("float32")
labels = np.eye(10, dtype="float32")[random.randint(0, 10, 8)]
for _ in range(3):
    print(model.train_on_batch(data, labels))
