"""Self-play: a forked worker answers over a queue."""

import multiprocessing

import tensorflow as tf

fork = multiprocessing.get_context("fork")


def play(config, queue):
    try:
        with tf.Session(config=config) as sess:
            queue.put(int(sess.run(tf.random_uniform([4])).shape[0]))
    except BaseException:
        queue.put(-1)


def main():
    config = tf.ConfigProto(allow_soft_placement=True)
    config.gpu_options.allow_growth = True
    queue = fork.Queue()
    process = fork.Process(target=play, args=(config, queue), daemon=True)
    process.start()
    print(queue.get(timeout=20))
    process.join(20)
    with tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))


main()
