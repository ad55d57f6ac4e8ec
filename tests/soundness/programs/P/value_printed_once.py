"""A value with an effect is computed once, where the config stood."""

import tensorflow as tf

calls = []


def fraction():
    calls.append(1)
    return 0.25 * len(calls)


config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = fraction()
print("between", len(calls))
fraction()
for _ in range(2):
    with tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))
print(len(calls))
