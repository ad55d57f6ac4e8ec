"""A metaclass keeps the classes that inherit it, one of which makes a session in its constructor."""

import tensorflow as tf
class M(type):
    known = {}
    def __init__(c, name, b, d):
        M.known[name] = c
class Base(metaclass=M):
    pass
class Sub(Base):
    def __init__(self):
        tf.Session(graph=tf.Graph()).close()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
M.known["Sub"]()
ds = tf.data.Dataset.range(3).map(lambda v: v + 1).make_one_shot_iterator().get_next()
x = tf.placeholder(tf.float32, [None, 3])
y = x * 2
with tf.Session(config=config) as sess:
    print(sess.run(y, {x: [[1, 2, 3]]}))
    print(sess.run(ds))
