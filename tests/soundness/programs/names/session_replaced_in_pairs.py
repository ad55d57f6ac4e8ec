"""A class of TensorFlow is replaced by names that a loop takes out of pairs."""

import tensorflow as tf


class Session(tf.Session):
    def __init__(self, target="", graph=None, config=None):
        print(config is None)
        super().__init__(target, graph, config)


for module, name, value in [(tf, "Session", Session)]:
    setattr(module, name, value)
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1.0) + 1.0))
