"""The fraction is an attribute that a constructor sets from its default."""
# expect: safe

import tensorflow as tf


class Model(object):
    def __init__(self, gpu_fraction=0.5):
        self.gpu_fraction = gpu_fraction
        opts = tf.GPUOptions(per_process_gpu_memory_fraction=self.gpu_fraction)
        self.sess = tf.Session(config=tf.ConfigProto(gpu_options=opts))


print(Model().sess.run(tf.constant(1)))
