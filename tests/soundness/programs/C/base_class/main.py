import tensorflow as tf
from worker import Worker


class Trainer(Worker):
    def __init__(self, gpu):
        self.config = tf.ConfigProto()
        self.config.gpu_options.allow_growth = True
        super().__init__(gpu)

    def run(self):
        with tf.Session(config=self.config) as sess:
            sess.run(tf.random_uniform([8]))


Trainer(1).run()
