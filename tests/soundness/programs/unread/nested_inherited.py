"""A class in a base class is found through a class that inherits it, and makes a session."""

import tensorflow as tf
class Net:
    class Opt:
        def __init__(self):
            tf.Session(graph=tf.Graph()).close()
class Big(Net):
    pass
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
Big.Opt()
ds = tf.data.Dataset.range(3).map(lambda v: v + 1).make_one_shot_iterator().get_next()
x = tf.placeholder(tf.float32, [None, 3])
y = x * 2
with tf.Session(config=config) as sess:
    print(sess.run(y, {x: [[1, 2, 3]]}))
    print(sess.run(ds))
