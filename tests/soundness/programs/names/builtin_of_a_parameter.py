"""A parameter has the name of a builtin that the settings need."""

import tensorflow as tf


def main(enumerate=False):
    config = tf.ConfigProto()
    config.gpu_options.per_process_gpu_memory_fraction = 0.5
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(1)), enumerate)


main()
