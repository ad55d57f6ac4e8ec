"""A function fails in front of a setting of the config of the module, and that is caught."""
import tensorflow as tf

config = None


def setup(a):
    global config
    config = tf.ConfigProto(intra_op_parallelism_threads=2)
    if not a:
        raise ValueError
    config.allow_soft_placement = True


def train():
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(1.0)))


for a in (True, False):
    try:
        setup(a)
    except ValueError:
        print('no')
    train()
