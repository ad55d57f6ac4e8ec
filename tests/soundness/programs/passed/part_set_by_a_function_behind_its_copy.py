"""A function sets a field of a part behind the config that it was copied into."""

import tensorflow as tf

def setup(options):
    options.allow_growth = True

def main():
    options = tf.GPUOptions()
    config = tf.ConfigProto(gpu_options=options)
    setup(options)
    with tf.Session(config=config) as s: print(s.run(tf.constant(1)))

main()
