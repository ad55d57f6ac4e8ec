import tensorflow as tf


def dense(x, n):
    w = tf.get_variable("w", [x.get_shape().as_list()[-1], n])
    return tf.matmul(x, w)


class Model(object):
    def __init__(self):
        self.graph = tf.Graph()
        with self.graph.as_default():
            self.x = tf.placeholder(tf.float32, [None, 4])
            self.y = dense(self.x, 2)
        config = tf.ConfigProto()
        config.gpu_options.allow_growth = True
        self.sess = tf.Session(graph=self.graph, config=config)
