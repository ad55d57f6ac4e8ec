from conf import *


def run(value):
    with tf.Session(config=session_config) as sess:
        return sess.run(value)
