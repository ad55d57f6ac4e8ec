"""A class is taken from an annotation, and makes a session in its constructor."""

import tensorflow as tf
import inspect
class Opt:
    def __init__(self):
        tf.Session(graph=tf.Graph()).close()
def train(opt: Opt):
    pass
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
made = {n: p.annotation() for n, p in inspect.signature(train).parameters.items()}
train(**made)
ds = tf.data.Dataset.range(3).map(lambda v: v + 1).make_one_shot_iterator().get_next()
x = tf.placeholder(tf.float32, [None, 3])
y = x * 2
with tf.Session(config=config) as sess:
    print(sess.run(y, {x: [[1, 2, 3]]}))
    print(sess.run(ds))
