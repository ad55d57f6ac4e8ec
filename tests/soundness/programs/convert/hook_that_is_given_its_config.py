"""A hook of a monitored session takes the config: its objects are made by calls of it alone."""

# expect: safe

import tensorflow as tf


class Evaluation(tf.train.SessionRunHook):
    def __init__(self, graph, config=None):
        self._graph = graph
        self._config = config

    def end(self, session):
        with tf.Session(graph=self._graph, config=self._config) as sess:
            print("loss", sess.run("loss:0"))


def main():
    graph = tf.Graph()
    with graph.as_default():
        tf.constant(2.0, name="loss")
    config = tf.ConfigProto(allow_soft_placement=True)
    config.gpu_options.allow_growth = True
    step = tf.assign_add(tf.train.get_or_create_global_step(), 1)
    with tf.train.SingularMonitoredSession([Evaluation(graph, config)], config=config) as sess:
        for _ in range(2):
            print(sess.run(step))


if __name__ == "__main__":
    main()
