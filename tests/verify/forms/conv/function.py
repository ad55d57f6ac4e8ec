"""A convolution with batch normalization, in a function."""

import numpy as np
import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
tf.config.set_soft_device_placement(False)
with tf.device("/gpu:0"):
    uniform = tf.keras.initializers.GlorotUniform()
    kernel = tf.Variable(uniform([3, 3, 3, 12]))
    gamma, beta = tf.Variable(tf.ones([12])), tf.Variable(tf.zeros([12]))
    mean = tf.Variable(tf.zeros([12]), trainable=False)
    variance = tf.Variable(tf.ones([12]), trainable=False)
    w = tf.Variable(uniform([12, 10]))
weights = [kernel, gamma, beta, w]


@tf.function
def train(x, y):
    with tf.device("/gpu:0"):
        with tf.GradientTape() as tape:
            z = tf.nn.conv2d(x, kernel, strides=1, padding="SAME")
            z, m, v = tf.compat.v1.nn.fused_batch_norm(
                z, gamma, beta, epsilon=0.001, is_training=True
            )[:3]
            mean.assign_sub((mean - m) * 0.01)
            variance.assign_sub((variance - v) * 0.01)
            z = tf.nn.max_pool2d(tf.nn.relu(z), 2, 2, "VALID")
            logits = tf.matmul(tf.reduce_mean(z, [1, 2]), w)
            loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=logits))
        for weight, gradient in zip(weights, tape.gradient(loss, weights)):
            weight.assign_sub(0.1 * gradient)
    return loss


random = np.random.RandomState(0)
data = random.rand(8, 16, 16, 3).astype("float32")
labels = np.eye(10, dtype="float32")[random.randint(0, 10, 8)]
for _ in range(3):
    print(train(tf.constant(data), tf.constant(labels)).numpy())
