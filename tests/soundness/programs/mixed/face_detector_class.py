"""A detector class that takes its fraction from its constructor, beside a plain embedding class."""

import tensorflow as tf


class Detector:
    def __init__(self, fraction=0.25):
        options = tf.GPUOptions(per_process_gpu_memory_fraction=fraction)
        with tf.Graph().as_default():
            self.noise = tf.random_uniform([4])
            self.sess = tf.Session(config=tf.ConfigProto(gpu_options=options))

    def detect(self):
        return self.sess.run(self.noise).shape


class Embedder:
    def __init__(self):
        with tf.Graph().as_default():
            self.noise = tf.random_uniform([2])
            self.sess = tf.Session()

    def embed(self):
        return self.sess.run(self.noise).shape


embedder, detector = Embedder(), Detector()
print(detector.detect(), embedder.embed())
