"""Two towers with weights on the CPU, in a function."""

import numpy as np
import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
tf.config.set_soft_device_placement(False)
with tf.device("/cpu:0"):
    uniform = tf.keras.initializers.GlorotUniform()
    w1, w2 = tf.Variable(uniform([20, 30])), tf.Variable(uniform([30, 5]))


@tf.function
def train(x, y):
    with tf.device("/cpu:0"):
        xs, ys = tf.split(x, 2), tf.split(y, 2)
    losses, gradients = [], []
    for number in range(2):
        with tf.device("/gpu:%d" % number), tf.GradientTape() as tape:
            out = tf.matmul(tf.nn.tanh(tf.matmul(xs[number], w1)), w2)
            losses.append(tf.reduce_mean(tf.square(out - ys[number])))
        with tf.device("/gpu:%d" % number):
            gradients.append(tape.gradient(losses[-1], [w1, w2]))
    with tf.device("/cpu:0"):
        means = [tf.add_n(pair) * 0.5 for pair in zip(*gradients)]
        for weight, mean in zip([w1, w2], means):
            weight.assign_sub(0.1 * mean)
        return tf.add_n(losses) * 0.5


random = np.random.RandomState(0)
data, wanted = random.rand(32, 20).astype("float32"), random.rand(32, 5).astype("float32")
for _ in range(3):
    print(train(tf.constant(data), tf.constant(wanted)).numpy())
