"""A counter on the CPU beside a product on a GPU, in a wrapped function."""

import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
tf.config.set_soft_device_placement(False)
v1 = tf.compat.v1


def step():
    with tf.device("/cpu:0"):
        count = v1.get_variable("count", [], tf.int32, v1.zeros_initializer(), trainable=False)
    with tf.device("/gpu:0"):
        w = v1.get_variable("w", [50, 50], initializer=v1.random_normal_initializer())
        product = tf.matmul(w, w, transpose_b=True)
        result = tf.reduce_max(product, 1)
    with tf.device("/cpu:0"):
        return v1.assign_add(count, 1), result


wrapped = v1.wrap_function(step, [])
for _ in range(4):
    number, value = wrapped()
    print(number.numpy(), value.numpy().sum())
