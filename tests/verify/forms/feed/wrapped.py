"""A product with what is fed, in a wrapped function."""

import numpy as np
import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
tf.config.set_soft_device_placement(False)


class Model(tf.Module):
    def __init__(self):
        self.made = []

    def __call__(self, x):
        with tf.device("/gpu:1"):
            w = tf.compat.v1.get_variable(
                "w", [100, 40], initializer=tf.compat.v1.random_normal_initializer()
            )
            b = tf.compat.v1.get_variable("b", [40], initializer=tf.zeros_initializer())
            hidden = tf.nn.relu(tf.matmul(x, w) + b)
        with tf.device("/gpu:0"):
            v = tf.compat.v1.get_variable(
                "v", [40, 10], initializer=tf.compat.v1.random_normal_initializer()
            )
            return tf.nn.softmax(tf.matmul(hidden, v))


predict = tf.compat.v1.wrap_function(Model(), [tf.TensorSpec([32, 100], tf.float32)])
data = np.random.RandomState(0).rand(32, 100).astype("float32")
for number in range(3):
    print(predict(tf.constant(data + number)).numpy().sum())
