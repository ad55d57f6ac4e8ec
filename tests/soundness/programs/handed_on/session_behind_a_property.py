"""A property that a function gets beside a session makes another one before."""

import tensorflow as tf


class Model:
    @property
    def graph(self):
        with tf.Graph().as_default(), tf.Session() as session:
            print(session.run(tf.ones([2])))
        return tf.get_default_graph()


def train(graph, session):
    print(session.run(tf.ones([4])), graph is None)


model = Model()
config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = 0.5
train(model.graph, tf.Session(config=config))
