"""A layer helper asks its parameter for its shape, and growth comes from a flag."""
# expect: safe

import tensorflow as tf

flags = tf.app.flags
flags.DEFINE_boolean("allow_growth", True, "grow")
FLAGS = flags.FLAGS


def dense(x, n):
    w = tf.get_variable("w", [x.get_shape().as_list()[-1], n])
    return tf.matmul(x, w)


def main(_):
    x = tf.placeholder(tf.float32, [None, 4])
    y = dense(x, 2)
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = (
        FLAGS.allow_growth
    )  # with `True`, or with argparse, it converts
    with tf.Session(config=config) as sess:
        sess.run(tf.global_variables_initializer())


if __name__ == "__main__":
    tf.app.run()
