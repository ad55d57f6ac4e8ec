import tensorflow as tf
from manager import Manager

manager = Manager()
with tf.Session() as sess:
    sess.run(tf.random_uniform([8]))
with manager as sess:
    sess.run(tf.random_uniform([8]))
