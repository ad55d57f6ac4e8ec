"""sys.setprofile calls a function of the program, which makes the plain session once."""

import sys

import tensorflow as tf

calls = []


def profile(frame, event, argument):
    if event == "call" and frame.f_code.co_name == "build" and not calls:
        calls.append(event)
        tf.Session().run(tf.random_uniform([8]))


def build():
    return 8


sys.setprofile(profile)
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
size = build()
sys.setprofile(None)
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([size]))
