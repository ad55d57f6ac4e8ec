import tensorflow as tf


class Runner:
    def on_start(self):
        pass

    def run(self):
        config = tf.ConfigProto(device_count={"GPU": 1})
        self.on_start()
        with tf.Session(config=config) as sess:
            sess.run(tf.random_uniform([8]))
