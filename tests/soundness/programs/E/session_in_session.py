"""The session of one trainer is open while another makes its own, and a plain one."""
import tensorflow as tf


class Trainer:
    def __init__(self, inner=None):
        self.config = tf.ConfigProto(device_count={"GPU": 1}, allow_soft_placement=True)
        self.inner = inner

    def run(self):
        with tf.Graph().as_default(), tf.Session() as sess:
            print(len(sess.list_devices()))
        with tf.Session(config=self.config) as sess:
            if self.inner is not None:
                self.inner.run()
            print(len(sess.list_devices()))
        with tf.Session() as sess:
            print(len(sess.list_devices()))


Trainer(Trainer()).run()
