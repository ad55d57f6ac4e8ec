"""A property that a session gets its graph from makes a session of its own."""

import tensorflow as tf


class Model:
    @property
    def graph(self):
        with tf.Graph().as_default(), tf.Session() as session:
            print(session.run(tf.ones([2])))
        return tf.get_default_graph()

    def train(self):
        config = tf.ConfigProto()
        config.gpu_options.per_process_gpu_memory_fraction = 0.5
        with tf.Session(graph=self.graph, config=config) as session:
            print(session.run(tf.ones([4])))


Model().train()
