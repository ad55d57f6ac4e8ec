"""Settings in front of the session of a class."""

import tensorflow as tf


class Trainer:
    def __init__(self):
        self.x = tf.random_uniform([8])
        config = tf.ConfigProto(gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=0.4))
        self.sess = tf.Session(config=config)

    def run(self):
        self.sess.run(self.x)


Trainer().run()
