import tensorflow as tf


class Second:
    def __init__(self):
        self.config = tf.ConfigProto()
        self.config.gpu_options.per_process_gpu_memory_fraction = 0.5

    def go(self):
        with tf.Session(config=self.config) as sess:
            sess.run(tf.random_uniform([8]))
