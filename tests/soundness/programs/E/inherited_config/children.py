import tensorflow as tf
from base import Base


class Child(Base):
    def check(self):
        with tf.Session() as sess:
            sess.run(tf.random_uniform([8]))
