"""Two objects, the first of which has a config and makes no session."""
import tensorflow as tf


class Trainer(object):
    def __init__(self, grows):
        if grows:
            config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
        else:
            config = None
        self.config = config

    def run(self):
        with tf.Session(config=self.config) as sess:
            print(sess.run(tf.constant(1.0)))


Trainer(True)
Trainer(False).run()
