import tensorflow as tf
from settings import config

settings = {"steps": 1}


def steps():
    return settings["steps"]


with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(steps())))
