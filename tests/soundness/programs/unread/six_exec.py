"""`six.exec_` runs a text that calls a function with a session."""

import tensorflow as tf
import six
def harm():
    tf.Session(graph=tf.Graph()).close()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
six.exec_("harm()")
ds = tf.data.Dataset.range(3).map(lambda v: v + 1).make_one_shot_iterator().get_next()
x = tf.placeholder(tf.float32, [None, 3])
y = x * 2
with tf.Session(config=config) as sess:
    print(sess.run(y, {x: [[1, 2, 3]]}))
    print(sess.run(ds))
