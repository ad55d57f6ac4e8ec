"""Eager code: CUDA's variable is written after the settings by a line that this run leaves out."""
# expect: assumption

import os
import sys

import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.visible_device_list = "0"
tf.enable_eager_execution(config=config)
if len(sys.argv) > 1:
    os.environ["CUDA_VISIBLE_DEVICES"] = sys.argv[1]
print(tf.reduce_sum(tf.ones([8])).shape)
