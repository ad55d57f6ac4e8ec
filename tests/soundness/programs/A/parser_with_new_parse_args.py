"""A parser gets another `parse_args`, which makes an object that shows what is set."""

import argparse

import tensorflow as tf


class Shown:
    def __setattr__(self, name, value):
        print("set", name)
        object.__setattr__(self, name, value)


parser = argparse.ArgumentParser()
parser.parse_args = lambda given=None: Shown()
args = parser.parse_args([])
args.config = tf.ConfigProto(allow_soft_placement=True)
with tf.Session(config=args.config) as sess:
    print(sess.run(tf.constant(1)))
