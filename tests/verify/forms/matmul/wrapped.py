"""Products on two GPUs and a sum on the CPU, in a wrapped function."""

import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
tf.config.set_soft_device_placement(False)


def step():
    with tf.device("/gpu:0"):
        a = tf.compat.v1.random.uniform([64, 128])
        b = tf.compat.v1.random.uniform([128, 32])
        c = tf.compat.v1.matmul(a, b)
    with tf.device("/gpu:1"):
        d = tf.compat.v1.random.uniform([48, 64])
        e = tf.compat.v1.matmul(d, c)
    with tf.device("/cpu:0"):
        return tf.compat.v1.reduce_sum(tf.nn.relu(e))


wrapped = tf.compat.v1.wrap_function(step, [])
for _ in range(3):
    print(wrapped().numpy())
