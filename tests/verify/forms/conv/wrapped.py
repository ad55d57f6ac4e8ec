"""A convolution with batch normalization, in a wrapped function."""

import numpy as np
import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
tf.config.set_soft_device_placement(False)
v1 = tf.compat.v1


def train(x, y):
    with tf.device("/gpu:0"):
        uniform, ones, zeros = (
            v1.glorot_uniform_initializer(),
            v1.ones_initializer(),
            v1.zeros_initializer(),
        )
        kernel = v1.get_variable("kernel", [3, 3, 3, 12], initializer=uniform)
        gamma = v1.get_variable("gamma", [12], initializer=ones)
        beta = v1.get_variable("beta", [12], initializer=zeros)
        mean = v1.get_variable("mean", [12], initializer=zeros, trainable=False)
        variance = v1.get_variable("variance", [12], initializer=ones, trainable=False)
        w = v1.get_variable("w", [12, 10], initializer=uniform)
        z = tf.nn.conv2d(x, kernel, strides=1, padding="SAME")
        z, m, v = v1.nn.fused_batch_norm(z, gamma, beta, epsilon=0.001, is_training=True)[:3]
        moved = [
            mean.assign_sub((mean - m) * 0.01),
            variance.assign_sub((variance - v) * 0.01),
        ]
        z = tf.nn.max_pool2d(tf.nn.relu(z), 2, 2, "VALID")
        logits = tf.matmul(tf.reduce_mean(z, [1, 2]), w)
        loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=logits))
        with tf.control_dependencies([*moved]):
            step = v1.train.GradientDescentOptimizer(0.1).minimize(loss)
        with tf.control_dependencies([step]):
            return tf.identity(loss)


wrapped = v1.wrap_function(
    train, [tf.TensorSpec([8, 16, 16, 3], tf.float32), tf.TensorSpec([8, 10], tf.float32)]
)
random = np.random.RandomState(0)
data = random.rand(8, 16, 16, 3).astype("float32")
labels = np.eye(10, dtype="float32")[random.randint(0, 10, 8)]
for _ in range(3):
    print(wrapped(tf.constant(data), tf.constant(labels)).numpy())
