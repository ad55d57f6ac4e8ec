"""A method is replaced by a function that makes a plain session."""

import tensorflow as tf


class Saver:
    def save(self):
        print("saved")


def checked_save(self):
    tf.Session().run(tf.random_uniform([8]))
    print("checked")


Saver.save = checked_save
saver = Saver()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
saver.save()
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
