"""An object of a library gets into a list by another name of it, and makes the eager context."""

import pickle

import tensorflow as tf


class Step:
    def prepare(self):
        print("own")


steps = [Step()]
others = steps
others.append(pickle.loads(b"cforeign_tools\nHelper\n(tR."))
for step in steps:
    step.prepare()

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
