"""An object keeps another one, of which a method takes the config."""
# expect: safe

import tensorflow as tf


class Trainer(object):
    def run(self, config):
        with tf.Session(config=config) as sess:
            print(sess.run(tf.constant(1)))


class App(object):
    def __init__(self):
        self.trainer = Trainer()

    def main(self):
        config = tf.ConfigProto()
        config.gpu_options.allow_growth = True
        self.trainer.run(config)


App().main()
