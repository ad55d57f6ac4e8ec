"""The program puts a function of its own in the place of one that the settings become."""

import tensorflow as tf


def ignored(gpu, enable):
    print(gpu, enable)


tf.config.experimental.set_memory_growth = ignored
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
sess = tf.Session(config=config)
print(sess.run(tf.constant(1)))
