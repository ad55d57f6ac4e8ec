"""A perceptron that Adam trains, in a session."""

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
config = tf.ConfigProto(allow_soft_placement=False)
config.gpu_options.allow_growth = True
x = tf.placeholder(tf.float32, [32, 64])
y = tf.placeholder(tf.int64, [32])
with tf.device("/gpu:0"):
    w1 = tf.get_variable("w1", [64, 48], initializer=tf.glorot_uniform_initializer())
    b1 = tf.get_variable("b1", [48], initializer=tf.zeros_initializer())
    w2 = tf.get_variable("w2", [48, 10], initializer=tf.glorot_uniform_initializer())
    b2 = tf.get_variable("b2", [10], initializer=tf.zeros_initializer())
    hidden = tf.nn.relu(tf.matmul(x, w1) + b1)
    logits = tf.matmul(hidden, w2) + b2
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
    train = tf.train.AdamOptimizer(0.001).minimize(loss)
random = np.random.RandomState(0)
data = random.rand(32, 64).astype("float32")
labels = random.randint(0, 10, 32)
with tf.Session(config=config) as session:
    session.run(tf.global_variables_initializer())
    for _ in range(3):
        print(session.run([train, loss], {x: data, y: labels})[1])
