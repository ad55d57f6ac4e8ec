"""OFF of RewriterConfig is the number 2, which is ON_2 for the level of XLA."""

import tensorflow as tf
from tensorflow.core.protobuf import rewriter_config_pb2

config = tf.ConfigProto()
config.graph_options.optimizer_options.global_jit_level = rewriter_config_pb2.RewriterConfig.OFF
with tf.Session(config=config) as sess:
    print(sess.run(tf.ones([4]) + 1.0))
