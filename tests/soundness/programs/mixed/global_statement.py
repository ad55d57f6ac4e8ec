"""A function rebinds the global config before another function uses it."""
# argv: --one

import sys

import tensorflow as tf

config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))


def parse():
    global config
    if "--one" in sys.argv:
        config = tf.ConfigProto(device_count={"GPU": 1})


def run():
    with tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))
        print(len(sess.list_devices()))


parse()
run()
