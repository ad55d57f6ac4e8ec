"""Workers get their GPU by a list, one process each, forked before any session."""

import multiprocessing

import tensorflow as tf


def work(number, queue):
    config = tf.ConfigProto()
    config.gpu_options.visible_device_list = str(number)
    config.gpu_options.allow_growth = True
    with tf.Session(config=config) as sess:
        queue.put((number, len(sess.list_devices())))


if __name__ == "__main__":
    fork = multiprocessing.get_context("fork")
    queue = fork.Queue()
    for number in range(2):
        process = fork.Process(target=work, args=(number, queue))
        process.start()
        print(queue.get(timeout=20))
        process.join(20)
