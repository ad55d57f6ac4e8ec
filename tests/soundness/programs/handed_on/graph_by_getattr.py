"""A method that finds any attribute makes a session where another one asks for its graph."""

import tensorflow as tf


class Model(dict):
    def __getattr__(self, name):
        return self.get(name) or self.build()

    def build(self):
        with tf.Graph().as_default(), tf.Session() as session:
            print(session.run(tf.ones([2])))
        return tf.get_default_graph()


model = Model()
config = tf.ConfigProto(allow_soft_placement=True)
session = tf.Session(graph=model.graph, config=config)
print(session.run(tf.ones([4])))
