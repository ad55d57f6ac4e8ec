"""One matrix product: what memory it takes is for the environment to say."""

import tensorflow as tf

x = tf.random.normal([256, 256])
assert tf.matmul(x, x).device.endswith("GPU:0")
print("ok")
