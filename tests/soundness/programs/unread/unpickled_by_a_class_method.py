"""A class method keeps an object of a library where it usually keeps that of its class."""

import pickle

import tensorflow as tf


class Model:
    _instance = None

    @classmethod
    def get(cls):
        if cls._instance is None:
            cls._instance = pickle.loads(b"cforeign_tools\nHelper\n(tR.")
        return cls._instance


Model.get().prepare()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
