"""unittest.mock.patch.dict sets the variable around the session."""

import os
from unittest import mock

import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with mock.patch.dict(os.environ, {"CUDA_VISIBLE_DEVICES": "1"}):
    sess = tf.Session(config=config)
    sess.run(tf.random_uniform([8]))
