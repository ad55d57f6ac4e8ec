"""A method hands the config on to the one that it overrides."""

# expect: safe
import tensorflow as tf


class Base:
    def train(self, config, steps=1):
        with tf.Session(config=config) as sess:
            for _ in range(steps):
                print(sess.run(tf.ones([4])))


class Model(Base):
    def train(self, config, steps=2):
        print("start")
        super().train(config, steps)
        Base.train(self, config)


config = tf.ConfigProto()
config.gpu_options.allow_growth = True
Model().train(config)
