"""Training, then a frozen graph is checked in a plain session without soft placement."""

import tensorflow as tf

config = tf.ConfigProto(allow_soft_placement=True)
config.gpu_options.allow_growth = True
with tf.Graph().as_default() as graph:
    value = tf.Variable(1.0, name="value")
    with tf.Session(config=config) as sess:
        sess.run(tf.global_variables_initializer())
        definition = graph.as_graph_def()
with tf.Graph().as_default():
    tf.import_graph_def(definition, name="")
    with tf.Session() as sess:
        print(len(definition.node) > 0, len(sess.list_devices()))
