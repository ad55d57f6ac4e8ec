"""The config is evaluated before the graph, which reads what the config's value changed."""

import tensorflow as tf

order = []


def note(value):
    order.append(value)
    return value


def graph():
    order.append("graph")
    return tf.get_default_graph()


sess = tf.Session(
    "",
    graph(),
    tf.ConfigProto(allow_soft_placement=note(True), device_count={"GPU": note(1)}),
)
print(order)
