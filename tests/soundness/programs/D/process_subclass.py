"""A3C: workers are a subclass of Process that gets the config in its constructor."""

import multiprocessing

import tensorflow as tf

fork = multiprocessing.get_context("fork")


class Worker(fork.Process):
    def __init__(self, config):
        super().__init__()
        self.config = config

    def run(self):
        with tf.Session(config=self.config) as sess:
            sess.run(tf.random_uniform([8]))


if __name__ == "__main__":
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    workers = [Worker(config) for _ in range(2)]
    for worker in workers:
        worker.start()
        worker.join()
    print([worker.exitcode for worker in workers])
