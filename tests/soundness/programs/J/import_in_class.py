"""TensorFlow is imported in the body of a class, and again at the top."""

import tensorflow as tf


class Model:
    import tensorflow

    def noise(self):
        return self.tensorflow.random_uniform([8])


with tf.Session(config=tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))) as sess:
    sess.run(Model().noise())
