"""An action of argparse keeps the namespace that it fills, and shows it later on."""

import argparse

import tensorflow as tf

seen = []


class Rate(argparse.Action):
    def __call__(self, parser, namespace, values, option_string=None):
        seen.append(namespace)


parser = argparse.ArgumentParser()
parser.add_argument("--rate", action=Rate)
args = parser.parse_args(["--rate", "1"])
args.config = tf.ConfigProto(allow_soft_placement=True)
with tf.Session(config=args.config) as sess:
    print(sess.run(tf.constant(1)))
print(hasattr(seen[0], "config"))
