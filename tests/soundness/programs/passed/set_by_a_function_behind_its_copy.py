"""A function sets a field of a config behind the copy that the session has."""

import tensorflow as tf

def setup(c):
    c.gpu_options.allow_growth = True

def main():
    base = tf.ConfigProto()
    config = tf.ConfigProto()
    config.CopyFrom(base)
    setup(base)
    with tf.Session(config=config) as s: print(s.run(tf.constant(1)))

main()
