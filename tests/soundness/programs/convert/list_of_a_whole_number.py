"""The text of a number that is whole, whatever it is, names one GPU: it has no order."""
# variables: LOCAL_RANK=3
# expect: safe

import os

import tensorflow as tf

rank = int(os.environ.get("LOCAL_RANK", 0))
config = tf.ConfigProto()
config.gpu_options.visible_device_list = str(rank % 2)
with tf.Session(config=config) as sess:
    sess.run(tf.constant([1.0]) + 1)
