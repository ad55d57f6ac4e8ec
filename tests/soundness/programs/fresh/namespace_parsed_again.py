"""The arguments that a setting has its value from are parsed once more."""

import argparse
import tensorflow as tf
p = argparse.ArgumentParser(); p.add_argument('--n', type=int, default=1)
args = p.parse_args([])
config = tf.ConfigProto(device_count={'GPU': args.n})
with tf.Session() as probe:
    k = len(probe.list_devices())
p.parse_args(['--n', '0'], namespace=args)
sess = tf.Session(config=config)
print(k, len(sess.list_devices()))
