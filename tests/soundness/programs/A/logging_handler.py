"""A log record goes to a handler of the program, which makes the plain session."""

import logging

import tensorflow as tf


class Handler(logging.Handler):
    def emit(self, record):
        tf.Session().run(tf.random_uniform([8]))


log = logging.getLogger("program")
log.addHandler(Handler())
config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = 0.4
log.error("training")
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
