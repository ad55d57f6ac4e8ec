"""A property returns what another one, or a method with the name of a pure one, counts."""

import tensorflow as tf


class Options:
    reads = 0

    @property
    def counted(self):
        self.reads += 1
        return self.reads

    @property
    def gpus(self):
        return self.counted

    def get(self, name):
        self.reads += 1
        return self.reads

    @property
    def growth(self):
        return self.get("growth") > 0


options = Options()
with tf.Session(config=tf.ConfigProto(device_count={"GPU": options.gpus})) as sess:
    print(len(sess.list_devices()), options.reads)
config = tf.ConfigProto()
config.gpu_options.allow_growth = options.growth
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()), options.reads)
