"""The function of a session counts its variables; the config of it is built in the module."""
import tensorflow as tf

first = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
second = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True), allow_soft_placement=True)


def train():
    with tf.Graph().as_default():
        with tf.Session(config=first) as sess:
            print(sess.run(tf.constant(1.0)))
        tf.Session().close()


def evaluate():
    with tf.Graph().as_default():
        with tf.Session(config=second) as sess:
            print(sess.run(tf.constant(2.0)))
        print(len(locals()))


train()
evaluate()
