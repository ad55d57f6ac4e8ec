"""Handlers and `finally` ask for what was set to None together with the config."""
# expect: safe

import tensorflow as tf


def main():
    sess = saver = config = None
    try:
        config = tf.ConfigProto(allow_soft_placement=True)
        sess = tf.Session(config=config)
        print(sess.run(tf.constant(1)))
    finally:
        if saver is not None:
            print("saver")
        if sess is not None:
            sess.close()


main()
