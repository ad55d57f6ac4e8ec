"""Products on two GPUs and a sum on the CPU, in a Keras 3 model."""

import keras
import numpy as np
import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
tf.config.set_soft_device_placement(False)


class Products(keras.Model):
    def call(self, inputs):
        with tf.device("/gpu:0"):
            a = tf.random.uniform([64, 128])
            b = tf.random.uniform([128, 32])
            c = tf.matmul(a, b)
        with tf.device("/gpu:1"):
            d = tf.random.uniform([48, 64])
            e = tf.matmul(d, c)
        with tf.device("/cpu:0"):
            return tf.reduce_sum(tf.nn.relu(e))


model = Products()
model.compile(jit_compile=False)
for _ in range(3):
    print(model.predict_on_batch(np.zeros([1, 1], "float32")))
