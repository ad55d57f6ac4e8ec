"""concurrent.futures forks the processes that make the sessions."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor

import tensorflow as tf

config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))


def trial(size):
    with tf.Session(config=config) as sess:
        return int(sess.run(tf.random_uniform([size])).shape[0])


if __name__ == "__main__":
    with ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as pool:
        print(pool.submit(trial, 3).result(timeout=20))
