import tensorflow as tf


class Trainer:
    def make_config(self):
        return tf.ConfigProto(allow_soft_placement=True)

    def train(self):
        with tf.Session(config=self.make_config()) as sess, tf.device("/gpu:7"):
            print(sess.run(tf.constant(1)))
