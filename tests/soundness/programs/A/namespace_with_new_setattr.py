"""The class of namespaces gets another `__setattr__`, which shows what is set."""

import argparse

import tensorflow as tf


def shown(self, name, value):
    print("set", name)
    object.__setattr__(self, name, value)


argparse.Namespace.__setattr__ = shown
args = argparse.Namespace()
args.config = tf.ConfigProto(allow_soft_placement=True)
with tf.Session(config=args.config) as sess:
    print(sess.run(tf.constant(1)))
