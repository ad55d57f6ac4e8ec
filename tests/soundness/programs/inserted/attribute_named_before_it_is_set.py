"""An attribute that is only named is an error where it has no value, and the program catches it."""
import tensorflow as tf
class A(object):
    def go(self):
        try:
            self.config
        except AttributeError:
            print("none")
        self.config = tf.ConfigProto()
        self.config.gpu_options.allow_growth = True
        with tf.Session(config=self.config) as sess:
            print(len(sess.list_devices()))
A().go()
