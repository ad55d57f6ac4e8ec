"""A counter on the CPU beside a product on a GPU, in a session."""

import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
config = tf.ConfigProto(allow_soft_placement=False)
config.gpu_options.allow_growth = True
with tf.device("/cpu:0"):
    count = tf.get_variable("count", [], tf.int32, tf.zeros_initializer(), trainable=False)
with tf.device("/gpu:0"):
    w = tf.get_variable("w", [50, 50], initializer=tf.random_normal_initializer())
    product = tf.matmul(w, w, transpose_b=True)
    result = tf.reduce_max(product, 1)
with tf.device("/cpu:0"):
    add = tf.assign_add(count, 1)
with tf.Session(config=config) as session:
    session.run(tf.global_variables_initializer())
    for _ in range(4):
        number, value = session.run([add, result])
        print(number, value.sum())
