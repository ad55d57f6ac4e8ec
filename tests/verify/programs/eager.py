"""Eager operations, functions, data sets, and Keras networks in float32 and float16."""

import numpy as np
import tensorflow as tf

keras = tf.keras
layers = keras.layers


@tf.function
def step(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(tf.nn.softmax(tf.matmul(x, x)))
    return tape.gradient(y, x)


@tf.function(input_signature=[tf.TensorSpec([None, None])])
def unknown_sizes(x):
    """Shapes that TensorFlow puts together on the GPU."""
    with tf.GradientTape() as tape:
        tape.watch(x)
        loss = tf.reduce_mean(tf.reduce_mean(tf.square(x), axis=-1))
    turned = tf.reshape(x, tf.gather(tf.shape(x), [1, 0]))
    return tape.gradient(loss, x), turned


assert [y.shape for y in unknown_sizes(tf.ones([8, 3]))] == [(8, 3), (3, 8)]
x = tf.random.normal([32, 32])
assert x.device.endswith("GPU:0") and step(x).device.endswith("GPU:0")
assert (tf.constant([1.0, 2.0]).numpy() == [1.0, 2.0]).all()

NETWORKS = {
    "dense": ([8], [layers.Dense(16, "relu"), layers.BatchNormalization(), layers.Dropout(0.5)]),
    "conv": (
        [8, 8, 3],
        [layers.Conv2D(4, 3), layers.BatchNormalization(), layers.MaxPooling2D(), layers.Flatten()],
    ),
    "recurrent": (
        [6],
        [layers.Embedding(20, 8), layers.LSTM(8, return_sequences=True), layers.GRU(8)],
    ),
    "attention": ([6, 8], [layers.LayerNormalization(), layers.Conv1D(4, 3), layers.Flatten()]),
}


def train(name, policy):
    keras.mixed_precision.set_global_policy(policy)
    shape, stack = NETWORKS[name]
    stack = [type(layer).from_config(layer.get_config()) for layer in stack]
    model = keras.Sequential([keras.Input(shape), *stack, layers.Dense(1, dtype="float32")])
    model.compile("adam", "mse", jit_compile=False)
    data = tf.data.Dataset.from_tensor_slices((np.ones([32, *shape], np.float32), np.ones([32, 1])))
    model.fit(data.shuffle(32).batch(8).prefetch(2), epochs=1, verbose=0)
    assert model.predict(np.ones([4, *shape], np.float32), verbose=0).shape == (4, 1)


for name in NETWORKS:
    train(name, "float32")
for name in ("dense", "conv"):
    train(name, "mixed_float16")
print("ok")
