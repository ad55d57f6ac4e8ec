"""Functions inside set variables that are None together: a `nonlocal` needs its name."""
# expect: safe

import tensorflow as tf


def main():
    config = best = None
    sess = settings = None

    def build():
        nonlocal config, settings
        config = tf.ConfigProto(log_device_placement=True)
        settings = 3
        return tf.Session(config=config)

    def step():
        nonlocal best
        best = sess.run(tf.constant(2))

    sess = build()
    step()
    print(best, settings)


main()
