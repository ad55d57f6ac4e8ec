"""The config is only given to build_cost_model: nothing is converted and nothing is written."""

import tensorflow as tf


def build_cost_model(config):
    return config.graph_options.build_cost_model


config = tf.ConfigProto(graph_options=tf.GraphOptions(build_cost_model=1))
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
print(build_cost_model(config))
