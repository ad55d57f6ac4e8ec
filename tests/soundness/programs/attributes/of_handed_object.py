"""Functions and objects are handed an object with a config, through one function or two."""

# expect: safe
import tensorflow as tf


class Settings:
    def __init__(self):
        self.steps = 2
        self.session = tf.ConfigProto()
        self.session.gpu_options.allow_growth = True


class Trainer:
    def __init__(self, settings):
        self.settings = settings

    def train(self):
        with tf.Session(config=self.settings.session) as sess:
            for _ in range(self.settings.steps):
                print(sess.run(tf.ones([4])))


def evaluate(given):
    with tf.Session(config=given.session) as sess:
        print(sess.run(tf.ones([4])))


def work(settings, times=1):
    for _ in range(times):
        evaluate(settings)


made = Settings()
Trainer(made).train()
work(made, times=2)
