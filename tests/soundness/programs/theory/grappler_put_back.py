"""A switch of the rewriter of one session, then a plain one."""

import tensorflow as tf
from tensorflow.core.protobuf import rewriter_config_pb2

off = rewriter_config_pb2.RewriterConfig.OFF


def run(config=None):
    with tf.Graph().as_default(), tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))


config = tf.ConfigProto()
config.graph_options.rewrite_options.constant_folding = off
run(config)
run()
