"""A function with `contextlib.contextmanager` makes the session: what it yields is that."""
# expect: safe

from contextlib import contextmanager

import tensorflow as tf


@contextmanager
def gpu_session():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    with tf.Session(config=config) as sess:
        yield sess


def main():
    with gpu_session() as sess:
        print(sess.run(tf.constant(1.0)))


if __name__ == "__main__":
    main()
