"""The value of a setting is a flag that is set again behind a plain session."""

import tensorflow as tf
tf.app.flags.DEFINE_integer('n', 1, 'gpus')
FLAGS = tf.app.flags.FLAGS
def main(_):
    config = tf.ConfigProto(device_count={'GPU': FLAGS.n})
    with tf.Session() as probe:
        k = len(probe.list_devices())
    FLAGS.n = 0
    sess = tf.Session(config=config)
    print(k, sess.run(tf.constant(1)), len(sess.list_devices()))
tf.app.run(main)
