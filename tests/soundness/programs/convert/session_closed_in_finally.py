"""What runs behind an error makes no session, and none follows it."""
# expect: safe

import atexit

import tensorflow as tf


class Level(int):
    def __repr__(self):
        return "level %d" % self


atexit.register(print, "end")
steps = len("abc")
config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
session = tf.Session(graph=tf.get_default_graph(), config=config)
try:
    print(session.run(tf.random_uniform([steps])).shape, Level(2))
finally:
    session.close()
