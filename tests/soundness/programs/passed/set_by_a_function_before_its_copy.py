"""A function sets a field of a config before the session's one is copied from it."""
# expect: safe

import tensorflow as tf

def setup(c):
    c.gpu_options.allow_growth = True

def main():
    base = tf.ConfigProto()
    setup(base)
    config = tf.ConfigProto()
    config.CopyFrom(base)
    with tf.Session(config=config) as s: print(s.run(tf.constant(1)))

main()
