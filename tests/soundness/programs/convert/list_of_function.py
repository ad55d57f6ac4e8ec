"""The list of GPUs is the text of what a function returns, a whole number."""
# expect: safe

import tensorflow as tf
import os


def local_rank():
    return int(os.environ.get("LOCAL_RANK", 0))


config = tf.ConfigProto()
config.gpu_options.visible_device_list = str(local_rank())
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
