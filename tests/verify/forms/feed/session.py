"""A product with what is fed, in a session."""

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
config = tf.ConfigProto(allow_soft_placement=False)
config.gpu_options.allow_growth = True
x = tf.placeholder(tf.float32, [32, 100])
with tf.device("/gpu:1"):
    w = tf.get_variable("w", [100, 40], initializer=tf.random_normal_initializer())
    b = tf.get_variable("b", [40], initializer=tf.zeros_initializer())
    hidden = tf.nn.relu(tf.matmul(x, w) + b)
with tf.device("/gpu:0"):
    v = tf.get_variable("v", [40, 10], initializer=tf.random_normal_initializer())
    y = tf.nn.softmax(tf.matmul(hidden, v))
data = np.random.RandomState(0).rand(32, 100).astype("float32")
with tf.Session(config=config) as session:
    session.run(tf.global_variables_initializer())
    for number in range(3):
        print(session.run(y, {x: data + number}).sum())
