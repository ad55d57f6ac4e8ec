"""TensorFlow comes from importlib."""
# tensorflow: 1

import importlib

tf = importlib.import_module("tensorflow")
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
