"""A3C: workers in threads share one session; the evaluator makes its own, plain."""

import threading

import tensorflow as tf


class Worker(threading.Thread):
    def __init__(self, sess, op, results):
        super().__init__()
        self.sess, self.op, self.results = sess, op, results

    def run(self):
        self.results.append(self.sess.run(self.op).shape)


def evaluate():
    with tf.Graph().as_default(), tf.Session() as sess:
        return len(sess.list_devices())


config = tf.ConfigProto(device_count={"GPU": 1}, allow_soft_placement=True)
sess = tf.Session(config=config)
noise = tf.random_uniform([8])
results = []
workers = [Worker(sess, noise, results) for _ in range(2)]
for worker in workers:
    worker.start()
for worker in workers:
    worker.join()
print(results, evaluate())
