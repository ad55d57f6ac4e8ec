"""Settings right in front of the session of a function that is called once."""

import tensorflow as tf


def main():
    x = tf.random_uniform([8])
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    sess = tf.Session(config=config)
    sess.run(x)


if __name__ == "__main__":
    main()
