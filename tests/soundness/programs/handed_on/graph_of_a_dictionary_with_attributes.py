"""A dictionary whose items are attributes only finds the graph of a session."""
# expect: safe

import tensorflow as tf


class Model(dict):
    __getattr__ = dict.__getitem__
    __setattr__ = dict.__setitem__


model = Model(graph=tf.get_default_graph())
config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = 0.5
session = tf.Session(graph=model.graph, config=config)
print(session.run(tf.ones([4])))
