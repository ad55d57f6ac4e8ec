"""An object that is given a config of its own does not fill its attribute."""

import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()


class Trainer(object):
    def __init__(self, config=None):
        self.config = config
        if self.config is None:
            self.config = tf.ConfigProto()
            self.config.gpu_options.allow_growth = True
        with tf.Session(config=self.config) as sess:
            print(sess.run(tf.reduce_sum(tf.ones([4, 4]))))


class Limited(Trainer):
    def __init__(self):
        super(Limited, self).__init__(tf.ConfigProto(log_device_placement=True))


Limited()
