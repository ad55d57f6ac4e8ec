"""TensorFlow refuses the graph of a session; the plain session of the handler has no growth."""

import tensorflow as tf

config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
try:
    session = tf.Session(graph="train", config=config)
except TypeError:
    session = tf.Session()
print(session.run(tf.random_uniform([8])).shape)
