"""A thread calls the constructor of its base by the name of the class."""
# expect: safe

import tensorflow as tf
import threading


class Brain(object):
    def __init__(self):
        config = tf.ConfigProto()
        config.gpu_options.allow_growth = True
        self.session = tf.Session(config=config)


class Environment(threading.Thread):
    def __init__(self):
        threading.Thread.__init__(self)  # super(Environment, self).__init__() converts

    def run(self):
        print(brain.session.run(tf.constant(1)))


brain = Brain()  # runs before any Environment
env = Environment()
env.start()
env.join()
