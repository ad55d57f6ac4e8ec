"""A function puts an object of a library into the list that it is given."""

import pickle

import tensorflow as tf


class Step:
    def prepare(self):
        print("own")


class Steps:
    def __init__(self):
        self.steps = [Step()]
        add(self.steps)

    def prepare(self):
        for _, step in enumerate(self.steps):
            step.prepare()


def add(steps):
    steps.append(pickle.loads(b"cforeign_tools\nHelper\n(tR."))


Steps().prepare()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
