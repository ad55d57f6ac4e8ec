"""Operations of a graph make no eager context."""

# expect: safe
# tensorflow: 2
import tensorflow as tf


def net(x):
    return tf.nn.relu(x)


def build():
    graph = tf.Graph()
    with graph.as_default():
        x = tf.compat.v1.placeholder(tf.float32, [2], name="x")
        net(x)
    return graph


def run(graph):
    config = tf.compat.v1.ConfigProto(allow_soft_placement=True)
    config.gpu_options.allow_growth = True
    with graph.as_default(), tf.compat.v1.Session(config=config) as session:
        print(session.run("Relu:0", {"x:0": [1.0, 2.0]}))


run(build())
