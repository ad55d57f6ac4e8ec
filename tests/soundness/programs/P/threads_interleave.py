"""Two threads: each builds its config, waits for the other, then makes its session."""

import threading

import tensorflow as tf

built = threading.Barrier(2)
turn = [threading.Event(), threading.Event()]
turn[0].set()


def train(number, soft):
    config = tf.ConfigProto(allow_soft_placement=soft)
    built.wait()
    turn[number].wait()
    with tf.Graph().as_default(), tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))
    turn[1 - number].set()


workers = [threading.Thread(target=train, args=pair) for pair in ((0, True), (1, False))]
for worker in workers:
    worker.start()
for worker in workers:
    worker.join()
