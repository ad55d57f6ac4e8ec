"""A counter on the CPU beside a product on a GPU, in a Keras 3 layer."""

import keras
import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
tf.config.set_soft_device_placement(False)


class Counted(keras.layers.Layer):
    def build(self, shape):
        with tf.device("/cpu:0"):
            self.count = self.add_weight(
                name="count", shape=(), dtype="int32", initializer="zeros", trainable=False
            )
        with tf.device("/gpu:0"):
            normal = keras.initializers.RandomNormal(stddev=1.0)
            self.w = self.add_weight(name="w", shape=(50, 50), initializer=normal)

    def call(self, inputs):
        with tf.device("/gpu:0"):
            product = tf.matmul(self.w, self.w, transpose_b=True)
            result = tf.reduce_max(product, 1)
        with tf.device("/cpu:0"):
            return self.count.assign_add(1), result


layer = Counted()
for _ in range(4):
    number, value = layer(tf.zeros([1]))
    print(number.numpy(), value.numpy().sum())
