"""The parent lists devices, then forks workers that make sessions: they fail, before and after."""

import multiprocessing

import tensorflow as tf


def work():
    config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
    with tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))


if __name__ == "__main__":
    print(len(tf.config.list_physical_devices("GPU")))
    process = multiprocessing.get_context("fork").Process(target=work)
    process.start()
    process.join(20)
    print(process.exitcode)
