"""Objects are made behind the session, so their methods, and what these call, run there."""

# expect: safe
import math

import tensorflow as tf

FLAGS = tf.app.flags.FLAGS
tf.app.flags.DEFINE_string("folder", "", "")
deviation = lambda x, k: 1 / math.sqrt(k * x.get_shape()[-1])

if "concat_v2" in dir(tf):

    def concat(tensors, axis):
        return tf.concat_v2(tensors, axis)
else:

    def concat(tensors, axis):
        return tf.concat(tensors, axis)


class BatchNorm(object):
    def __call__(self, x):
        return tf.nn.relu(concat([x, x], 0))


def deconvolution(x):
    try:
        return tf.nn.relu(x)
    except AttributeError:
        return tf.nn.relu6(x)


class Model(object):
    def __init__(self, session):
        self.session = session
        self.norm = BatchNorm()

    def run(self):
        print(self.session.run(deconvolution(self.norm(tf.ones([2])))))


def main(_):
    FLAGS.folder = "{}-{}".format(FLAGS.folder, 1)
    print("{}".format(str(FLAGS.folder)))
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    with tf.Session(config=config) as session:
        Model(session).run()


if __name__ == "__main__":
    tf.app.run()
