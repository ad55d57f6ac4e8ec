"""Two towers with weights on the CPU, in a wrapped function."""

import numpy as np
import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
tf.config.set_soft_device_placement(False)
v1 = tf.compat.v1


def train(x, y):
    with tf.device("/cpu:0"):
        uniform = v1.glorot_uniform_initializer()
        w1 = v1.get_variable("w1", [20, 30], initializer=uniform)
        w2 = v1.get_variable("w2", [30, 5], initializer=uniform)
        xs, ys = tf.split(x, 2), tf.split(y, 2)
    losses, gradients = [], []
    for number in range(2):
        with tf.device("/gpu:%d" % number):
            out = tf.matmul(tf.nn.tanh(tf.matmul(xs[number], w1)), w2)
            losses.append(tf.reduce_mean(tf.square(out - ys[number])))
            gradients.append(tf.gradients(losses[-1], [w1, w2]))
    with tf.device("/cpu:0"):
        means = [tf.add_n(pair) * 0.5 for pair in zip(*gradients)]
        step = v1.train.GradientDescentOptimizer(0.1).apply_gradients(zip(means, [w1, w2]))
        with tf.control_dependencies([step]):
            return tf.add_n(losses) * 0.5


wrapped = v1.wrap_function(
    train, [tf.TensorSpec([32, 20], tf.float32), tf.TensorSpec([32, 5], tf.float32)]
)
random = np.random.RandomState(0)
data, wanted = random.rand(32, 20).astype("float32"), random.rand(32, 5).astype("float32")
for _ in range(3):
    print(wrapped(tf.constant(data), tf.constant(wanted)).numpy())
