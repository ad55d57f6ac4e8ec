"""Two towers with weights on the CPU, in a session."""

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
config = tf.ConfigProto(allow_soft_placement=False)
config.gpu_options.allow_growth = True
x = tf.placeholder(tf.float32, [32, 20])
y = tf.placeholder(tf.float32, [32, 5])
with tf.device("/cpu:0"):
    w1 = tf.get_variable("w1", [20, 30], initializer=tf.glorot_uniform_initializer())
    w2 = tf.get_variable("w2", [30, 5], initializer=tf.glorot_uniform_initializer())
    xs, ys = tf.split(x, 2), tf.split(y, 2)
losses, gradients = [], []
for number in range(2):
    with tf.device("/gpu:%d" % number):
        out = tf.matmul(tf.nn.tanh(tf.matmul(xs[number], w1)), w2)
        losses.append(tf.reduce_mean(tf.square(out - ys[number])))
        gradients.append(tf.gradients(losses[-1], [w1, w2]))
with tf.device("/cpu:0"):
    means = [tf.add_n(pair) * 0.5 for pair in zip(*gradients)]
    train = tf.train.GradientDescentOptimizer(0.1).apply_gradients(zip(means, [w1, w2]))
    loss = tf.add_n(losses) * 0.5
random = np.random.RandomState(0)
data, wanted = random.rand(32, 20).astype("float32"), random.rand(32, 5).astype("float32")
with tf.Session(config=config) as session:
    session.run(tf.global_variables_initializer())
    for _ in range(3):
        print(session.run([loss, train], {x: data, y: wanted})[0])
