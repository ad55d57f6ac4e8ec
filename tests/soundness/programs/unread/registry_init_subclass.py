"""A base class keeps its subclasses, one of which is named nowhere; its constructor makes a session."""

import tensorflow as tf
class Base:
    known = {}
    def __init_subclass__(cls, **k):
        Base.known[cls.__name__] = cls
class Sub(Base):
    def __init__(self):
        tf.Session(graph=tf.Graph()).close()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
Base.known["Sub"]()
ds = tf.data.Dataset.range(3).map(lambda v: v + 1).make_one_shot_iterator().get_next()
x = tf.placeholder(tf.float32, [None, 3])
y = x * 2
with tf.Session(config=config) as sess:
    print(sess.run(y, {x: [[1, 2, 3]]}))
    print(sess.run(ds))
