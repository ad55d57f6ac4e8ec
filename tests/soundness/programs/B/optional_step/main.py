import argparse

import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--check", action="store_true")
args = parser.parse_args()
with tf.Session(config=tf.ConfigProto(device_count={"GPU": 1})) as sess:
    sess.run(tf.random_uniform([8]))
if args.check:
    from steps import check

    check.run()
