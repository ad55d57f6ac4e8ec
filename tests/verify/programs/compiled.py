"""XLA: functions and Keras steps compiled for the GPU, and automatic clustering."""

import numpy as np
import tensorflow as tf


@tf.function(jit_compile=True)
def fused(x):
    y = tf.nn.relu(tf.matmul(x, x) + 1.0)
    return tf.reduce_sum(y, 1), tf.sort(y)


for size in (32, 64):
    total, ordered = fused(tf.random.normal([size, size]))
    assert total.device.endswith("GPU:0") and ordered.shape == (size, size)

layers = tf.keras.layers
model = tf.keras.Sequential(
    [
        tf.keras.Input([8, 8, 3]),
        layers.Conv2D(4, 3, activation="relu"),
        layers.Flatten(),
        layers.Dense(10, activation="softmax"),
    ]
)
model.compile("adam", "sparse_categorical_crossentropy", jit_compile=True)
model.fit(np.ones([16, 8, 8, 3], np.float32), np.zeros([16]), batch_size=8, verbose=0)

tf.config.optimizer.set_jit(True)


@tf.function
def clustered(x):
    for _ in range(4):
        x = tf.tanh(tf.matmul(x, x) * 2.0)
    return x


assert clustered(tf.random.normal([64, 64])).shape == (64, 64)
print("ok")
