"""The program has GPUs grow by tf.config, and a config only where it is asked to."""

import tensorflow as tf
for g in tf.config.experimental.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(g, True)
def go(grow=False):
    c = tf.ConfigProto()
    if grow: c.gpu_options.allow_growth = True
    return tf.Session(config=c)
go()
