"""A method makes a session before another one has set the config, and the error is caught."""
import os
import tensorflow as tf
class Model(object):
    def setup(self):
        self.config = tf.ConfigProto()
        self.config.gpu_options.allow_growth = True
    def run(self):
        with tf.Session(config=self.config) as sess:
            print(len(sess.list_devices()))
m = Model()
if os.environ.get("FE"):
    m.setup()
try:
    m.run()
except AttributeError:
    print("set up first")
