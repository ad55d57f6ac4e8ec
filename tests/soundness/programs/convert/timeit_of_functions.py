"""timeit gets functions only, through a parameter: it runs no text."""
# expect: safe

import timeit

import tensorflow as tf


def measure(step, number):
    return timeit.timeit(step, number=number)


config = tf.ConfigProto()
config.gpu_options.allow_growth = True
total = tf.random_uniform([4]) + 1
with tf.Session(config=config) as sess:
    print(measure(lambda: sess.run(total), 2) > 0)
    print(measure(number=1, step=lambda: sess.run(total)) > 0)
