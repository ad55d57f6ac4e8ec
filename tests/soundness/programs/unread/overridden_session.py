"""A method that gives the session is overridden in a subclass, which gives one as well."""
# expect: safe

import tensorflow as tf


class Trainer(object):
    def create_session(self):
        config = tf.ConfigProto()
        config.gpu_options.allow_growth = True
        return tf.Session(config=config)

    def fit(self):
        with self.create_session() as sess:
            print(sess.run(tf.constant(1)))


class Plain(Trainer):
    def create_session(self):
        return tf.Session()


Trainer().fit()
