"""A function makes the config of one session, by arguments that differ from branch to branch."""
# expect: safe

import sys

import tensorflow as tf


def tf_config(fraction=None, soft=True):
    config = tf.ConfigProto(allow_soft_placement=soft)
    if fraction:
        config.gpu_options.per_process_gpu_memory_fraction = fraction
    return config


if len(sys.argv) > 1:
    config = tf_config(soft=False)
else:
    config = tf_config(fraction=0.5)
with tf.Session(config=config) as session:
    print(session.run(tf.ones([2])).shape)
