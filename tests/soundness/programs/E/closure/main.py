import factory
import tensorflow as tf

make = factory.maker()
with tf.Session() as sess:
    sess.run(tf.random_uniform([8]))
with make() as sess:
    sess.run(tf.random_uniform([8]))
