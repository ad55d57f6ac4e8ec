"""A function that forks is called out of a list, between config and session."""

import os
import tensorflow as tf

forks = [os.fork]


def options():
    config = tf.ConfigProto()
    config.gpu_options.per_process_gpu_memory_fraction = 0.4
    return config


config = options()
pid = forks[0]()
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1.0)))
if pid:
    raise SystemExit(os.waitpid(pid, 0)[1])
os._exit(0)
