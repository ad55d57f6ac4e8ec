"""The raw module has a name in some runs only, which a config that is not built uses."""

import sys

import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
if len(sys.argv) > 1:
    import tensorflow as tf2


def other():
    config = tf2.compat.v1.ConfigProto()
    config.gpu_options.allow_growth = True
    return tf2.compat.v1.Session(config=config)


def main():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(1)))


if len(sys.argv) > 1:
    other()
else:
    main()
