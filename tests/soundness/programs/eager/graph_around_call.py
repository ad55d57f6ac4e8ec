"""A function whose operations are in a graph, as all that call it are, makes no GPUs."""
# expect: safe
# tensorflow: 2

import tensorflow as tf

config = tf.compat.v1.ConfigProto()
config.gpu_options.allow_growth = True


def weights():
    return tf.constant([1.0]) + 2.0


def model():
    return weights() * 3.0


def main():
    with tf.Graph().as_default():
        y = model()
        with tf.compat.v1.Session(config=config) as sess:
            print(sess.run(y))


main()
