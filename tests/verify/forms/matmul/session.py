"""Products on two GPUs and a sum on the CPU, in a session."""

import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
config = tf.ConfigProto(allow_soft_placement=False)
config.gpu_options.allow_growth = True
with tf.device("/gpu:0"):
    a = tf.random.uniform([64, 128])
    b = tf.random.uniform([128, 32])
    c = tf.matmul(a, b)
with tf.device("/gpu:1"):
    d = tf.random.uniform([48, 64])
    e = tf.matmul(d, c)
with tf.device("/cpu:0"):
    total = tf.reduce_sum(tf.nn.relu(e))
with tf.Session(config=config) as session:
    for _ in range(3):
        print(session.run(total))
