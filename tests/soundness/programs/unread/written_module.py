"""A module that the program has written makes a session between the settings and their session."""

import importlib

import tensorflow as tf

with open("written_here.py", "w") as file:
    file.write("import tensorflow.compat.v1 as tf\nprint(tf.Session().run(tf.constant(1)))\n")
importlib.invalidate_caches()


def work():
    config = tf.ConfigProto()
    config.gpu_options.per_process_gpu_memory_fraction = 0.3
    importlib.import_module("written_here")
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(1)))


work()
