"""A method of an object takes the config; sessions have a method of its name."""
# expect: safe

import tensorflow as tf


class Trainer(object):
    def run(self, config, steps):
        with tf.Session(config=config) as sess:
            for _ in range(steps):
                print(sess.run(tf.constant(1)))


def main():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    trainer = Trainer()
    trainer.run(config, 2)


main()
