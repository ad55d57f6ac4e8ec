import tensorflow as tf
from first import *

with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1.0)))
from second import *

with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(2.0)))
