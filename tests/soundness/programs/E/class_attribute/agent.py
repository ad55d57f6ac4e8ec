import tensorflow as tf


class Agent:
    config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))

    def run(self):
        with tf.Session(config=self.config) as sess:
            sess.run(tf.random_uniform([8]))
