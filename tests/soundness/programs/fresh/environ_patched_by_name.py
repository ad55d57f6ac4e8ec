"""mock.patch.dict writes to "os.environ", which it is given as a string."""

import os
from unittest import mock
import tensorflow as tf
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with mock.patch.dict("os.environ", CUDA_VISIBLE_DEVICES="1"):
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(1)), len(sess.list_devices()))
