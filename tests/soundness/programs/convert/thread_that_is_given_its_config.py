"""A class of threads takes the config: its objects are made by calls of it alone."""

# expect: safe

import threading

import tensorflow as tf


class Evaluation(threading.Thread):
    def __init__(self, graph, config):
        super(Evaluation, self).__init__()
        self.graph = graph
        self.config = config

    def run(self):
        with tf.Session(graph=self.graph, config=self.config) as sess:
            print("loss", sess.run("loss:0"))


def main():
    graph = tf.Graph()
    with graph.as_default():
        loss = tf.constant(2.0, name="loss")
    config = tf.ConfigProto(allow_soft_placement=True)
    with tf.Session(graph=graph, config=config) as sess:
        print(sess.run(loss))
    thread = Evaluation(graph, config)
    thread.start()
    thread.join()


if __name__ == "__main__":
    main()
