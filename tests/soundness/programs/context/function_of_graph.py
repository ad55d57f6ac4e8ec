"""tf.function is traced in graph mode; then a session with growth and one GPU."""

import tensorflow as tf


@tf.function
def double(x):
    return x * 2


with tf.Session() as sess:
    sess.run(tf.random_uniform([8]))
value = double(tf.random_uniform([8]))
config = tf.ConfigProto(device_count={"GPU": 1}, gpu_options=tf.GPUOptions(allow_growth=True))
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
