"""getattr with a computed name finds the function that makes a plain session."""

import tensorflow as tf


class Commands:
    def do_eval(self):
        with tf.Session() as sess:
            sess.run(tf.random_uniform([8]))


commands = Commands()
config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = 0.4
getattr(commands, "do_" + "eval")()
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
