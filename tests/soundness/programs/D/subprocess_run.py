"""A child process of another program is no danger for the config; this one converts or stays."""

import subprocess
import sys

import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
print(subprocess.run([sys.executable, "-c", "print(1)"], capture_output=True).returncode)
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
