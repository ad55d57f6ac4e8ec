"""Two classes have a config each as an attribute; a method, a class method and a script take it."""

# expect: safe
import tensorflow as tf


class Trainer:
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True

    def train(self):
        with tf.Session(config=self.config) as sess:
            print(sess.run(tf.ones([4])))

    @classmethod
    def test(cls):
        with tf.Session(config=cls.config) as sess:
            print(sess.run(tf.ones([4])))


class Settings:
    config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))


Trainer().train()
Trainer.test()
with tf.Session(config=Settings.config) as sess:
    print(sess.run(tf.ones([4])))
