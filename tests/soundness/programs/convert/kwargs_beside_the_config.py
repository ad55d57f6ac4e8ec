"""A function hands its keyword arguments on to the session: a graph at most."""
# expect: safe

import tensorflow as tf


def make_session(growth=True, **kwargs):
    config = tf.ConfigProto(allow_soft_placement=True)
    config.gpu_options.allow_growth = growth
    return tf.Session(config=config, **kwargs)


with make_session() as sess:
    print(sess.run(tf.constant(1.0)))
graph = tf.Graph()
with graph.as_default():
    two = tf.constant(2.0)
with make_session(graph=graph) as sess:
    print(sess.run(two))
