import tensorflow as tf


class Manager:
    def __init__(self):
        self.config = tf.ConfigProto(device_count={"GPU": 1})

    def __enter__(self):
        self.sess = tf.Session(config=self.config)
        return self.sess

    def __exit__(self, *error):
        self.sess.close()
