"""A counter on the CPU beside a product on a GPU, in eager code."""

import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
tf.config.set_soft_device_placement(False)
with tf.device("/cpu:0"):
    count = tf.Variable(0, trainable=False)
with tf.device("/gpu:0"):
    w = tf.Variable(tf.random.normal([50, 50]))


def step():
    with tf.device("/gpu:0"):
        product = tf.matmul(w, w, transpose_b=True)
        result = tf.reduce_max(product, 1)
    with tf.device("/cpu:0"):
        return count.assign_add(1), result


for _ in range(4):
    number, value = step()
    print(number.numpy(), value.numpy().sum())
