"""Two towers with weights on the CPU, in Keras 3."""

import keras
import numpy as np
import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
tf.config.set_soft_device_placement(False)
layers = keras.layers


class Towers(keras.Model):
    def __init__(self):
        super().__init__()
        with tf.device("/cpu:0"):
            self.first = layers.Dense(30, activation="tanh", use_bias=False)
            self.second = layers.Dense(5, use_bias=False)
            self.first.build([None, 20])
            self.second.build([None, 30])

    def train_step(self, data):
        x, y = data[:2]
        with tf.device("/cpu:0"):
            xs, ys = tf.split(x, 2), tf.split(y, 2)
        losses, gradients = [], []
        for number in range(2):
            with tf.device("/gpu:%d" % number):
                with tf.GradientTape() as tape:
                    out = self.second(self.first(xs[number]))
                    losses.append(tf.reduce_mean(tf.square(out - ys[number])))
                gradients.append(tape.gradient(losses[-1], self.trainable_variables))
        with tf.device("/cpu:0"):
            means = [tf.add_n(pair) * 0.5 for pair in zip(*gradients)]
            self.optimizer.apply_gradients(zip(means, self.trainable_variables))
            return {"loss": tf.add_n(losses) * 0.5}


model = Towers()
with tf.device("/cpu:0"):
    model.compile(keras.optimizers.SGD(0.1), jit_compile=False)
random = np.random.RandomState(0)
data, wanted = random.rand(32, 20).astype("float32"), random.rand(32, 5).astype("float32")
for _ in range(3):
    print(model.train_on_batch(data, wanted))
