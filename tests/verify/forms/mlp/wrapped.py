"""A perceptron that Adam trains, in a wrapped function."""

import numpy as np
import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
tf.config.set_soft_device_placement(False)
v1 = tf.compat.v1


def train(x, y):
    with tf.device("/gpu:0"):
        uniform = v1.glorot_uniform_initializer()
        w1 = v1.get_variable("w1", [64, 48], initializer=uniform)
        b1 = v1.get_variable("b1", [48], initializer=v1.zeros_initializer())
        w2 = v1.get_variable("w2", [48, 10], initializer=uniform)
        b2 = v1.get_variable("b2", [10], initializer=v1.zeros_initializer())
        hidden = tf.nn.relu(tf.matmul(x, w1) + b1)
        logits = tf.matmul(hidden, w2) + b2
        loss = tf.reduce_mean(
            tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)
        )
        with tf.control_dependencies([v1.train.AdamOptimizer(0.001).minimize(loss)]):
            return tf.identity(loss)


wrapped = v1.wrap_function(
    train, [tf.TensorSpec([32, 64], tf.float32), tf.TensorSpec([32], tf.int64)]
)
random = np.random.RandomState(0)
data = random.rand(32, 64).astype("float32")
labels = random.randint(0, 10, 32)
for _ in range(3):
    print(wrapped(tf.constant(data), tf.constant(labels)).numpy())
