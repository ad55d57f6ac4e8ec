import tensorflow as tf


class Plain:
    config = None

    def __init__(self):
        with tf.Graph().as_default():
            self.noise = tf.random_uniform([4])
            self.sess = tf.Session(config=self.config)

    def run(self):
        return self.sess.run(self.noise).shape


class Small(Plain):
    config = tf.ConfigProto(gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=0.2))
