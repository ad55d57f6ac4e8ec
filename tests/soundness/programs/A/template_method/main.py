import tensorflow as tf
from runner import Runner


class Train(Runner):
    def on_start(self):
        with tf.Session() as sess:
            sess.run(tf.random_uniform([8]))


Train().run()
