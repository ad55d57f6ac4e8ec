"""TensorFlow takes the graph of a session, so that its handler makes no other one."""
# expect: safe

import tensorflow as tf

graph = tf.Graph()
with graph.as_default():
    values = tf.random_uniform([8])
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
try:
    session = tf.Session(graph=graph, config=config)
except Exception:
    session = tf.Session(graph=graph)
print(session.run(values).shape)
