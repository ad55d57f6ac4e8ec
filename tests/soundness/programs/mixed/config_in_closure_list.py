"""Closures in a loop see the last config only."""

import tensorflow as tf

makers = []
for gpus in (0, 1, 2):
    config = tf.ConfigProto(device_count={"GPU": gpus})
    makers.append(lambda: tf.Session(graph=tf.Graph(), config=config))
print([len(make().list_devices()) for make in makers])
