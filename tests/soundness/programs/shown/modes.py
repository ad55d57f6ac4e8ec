"""Modes that hide all GPUs, limit them, or do nothing."""

import tensorflow as tf


def session(mode):
    config = tf.ConfigProto()
    if mode == "cpu":
        config.device_count["GPU"] = 0
        config.gpu_options.allow_growth = True
    elif mode == "limited":
        config.gpu_options.per_process_gpu_memory_fraction = 0.3
    return tf.Session(config=config)


for mode in ("cpu", "limited", "full"):
    with session(mode) as opened:
        print(mode, opened.run(tf.ones([2])).shape)
