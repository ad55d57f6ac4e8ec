"""The parent builds the config, a forked child makes the session in a function."""
import multiprocessing

import tensorflow as tf

config = tf.ConfigProto(device_count={"GPU": 1})
config.gpu_options.allow_growth = True


def work():
    with tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))


worker = multiprocessing.get_context("fork").Process(target=work)
worker.start()
worker.join(20)
print(worker.exitcode)
