"""A timer starts a plain session a moment later, while the main thread waits."""

import threading

import tensorflow as tf

done = threading.Event()


def check():
    with tf.Graph().as_default(), tf.Session() as sess:
        sess.run(tf.random_uniform([8]))
    done.set()


config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = 0.4
threading.Timer(0.01, check).start()
done.wait(20)
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
