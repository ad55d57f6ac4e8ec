"""Processes in a dictionary are started between a config and its session."""

import multiprocessing

import tensorflow as tf


def child():
    with tf.Session() as sess:
        print(len(sess.list_devices()))


if __name__ == "__main__":
    waiting = {}
    waiting["one"] = multiprocessing.Process(target=child)
    config = tf.ConfigProto()
    config.gpu_options.per_process_gpu_memory_fraction = 0.3
    for name, process in waiting.items():
        process.start()
        process.join()
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(1)))
