import threading

import tensorflow as tf


class Monitor(threading.Thread):
    def run(self):
        with tf.Graph().as_default(), tf.Session() as sess:
            sess.run(tf.random_uniform([8]))

    def start_and_wait(self):
        self.start()
        self.join()
