"""A convolution with batch normalization, in a session."""

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
config = tf.ConfigProto(allow_soft_placement=False)
config.gpu_options.allow_growth = True
x = tf.placeholder(tf.float32, [8, 16, 16, 3])
y = tf.placeholder(tf.float32, [8, 10])
with tf.device("/gpu:0"):
    kernel = tf.get_variable("kernel", [3, 3, 3, 12], initializer=tf.glorot_uniform_initializer())
    gamma = tf.get_variable("gamma", [12], initializer=tf.ones_initializer())
    beta = tf.get_variable("beta", [12], initializer=tf.zeros_initializer())
    mean = tf.get_variable("mean", [12], initializer=tf.zeros_initializer(), trainable=False)
    variance = tf.get_variable("variance", [12], initializer=tf.ones_initializer(), trainable=False)
    w = tf.get_variable("w", [12, 10], initializer=tf.glorot_uniform_initializer())
    z = tf.nn.conv2d(x, kernel, strides=1, padding="SAME")
    z, m, v = tf.nn.fused_batch_norm(z, gamma, beta, epsilon=0.001, is_training=True)[:3]
    moved = [
        mean.assign_sub((mean - m) * 0.01),
        variance.assign_sub((variance - v) * 0.01),
    ]
    z = tf.nn.max_pool2d(tf.nn.relu(z), 2, 2, "VALID")
    logits = tf.matmul(tf.reduce_mean(z, [1, 2]), w)
    loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=logits))
    with tf.control_dependencies(moved):
        train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
random = np.random.RandomState(0)
data = random.rand(8, 16, 16, 3).astype("float32")
labels = np.eye(10, dtype="float32")[random.randint(0, 10, 8)]
with tf.Session(config=config) as session:
    session.run(tf.global_variables_initializer())
    for _ in range(3):
        print(session.run([loss, train], {x: data, y: labels})[0])
