"""A class in a class, found as an attribute, makes a session in its constructor."""

import tensorflow as tf
class Net:
    class Block:
        def __init__(self, n):
            tf.Session(graph=tf.Graph()).close()
    def build(self):
        return self.Block(3)
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
Net().build()
ds = tf.data.Dataset.range(3).map(lambda v: v + 1).make_one_shot_iterator().get_next()
x = tf.placeholder(tf.float32, [None, 3])
y = x * 2
with tf.Session(config=config) as sess:
    print(sess.run(y, {x: [[1, 2, 3]]}))
    print(sess.run(ds))
