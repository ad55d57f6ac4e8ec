"""A perceptron that Adam trains, in eager code."""

import numpy as np
import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
tf.config.set_soft_device_placement(False)
with tf.device("/gpu:0"):
    uniform = tf.keras.initializers.GlorotUniform()
    w1 = tf.Variable(uniform([64, 48]))
    b1 = tf.Variable(tf.zeros([48]))
    w2 = tf.Variable(uniform([48, 10]))
    b2 = tf.Variable(tf.zeros([10]))
    optimizer = tf.keras.optimizers.Adam(0.001)
    optimizer.build([w1, b1, w2, b2])


def train(x, y):
    with tf.device("/gpu:0"):
        with tf.GradientTape() as tape:
            hidden = tf.nn.relu(tf.matmul(x, w1) + b1)
            logits = tf.matmul(hidden, w2) + b2
            loss = tf.reduce_mean(
                tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)
            )
        gradients = tape.gradient(loss, [w1, b1, w2, b2])
        optimizer.apply_gradients(zip(gradients, [w1, b1, w2, b2]))
    return loss


random = np.random.RandomState(0)
data = random.rand(32, 64).astype("float32")
labels = random.randint(0, 10, 32)
for _ in range(3):
    print(train(tf.constant(data), tf.constant(labels)).numpy())
