"""A function has the name of a method of sessions."""
# expect: safe

import tensorflow as tf


def run(lr, gpu_frac=0.3):  # renamed to train_once it converts
    opts = tf.GPUOptions(per_process_gpu_memory_fraction=gpu_frac)
    sess = tf.Session(config=tf.ConfigProto(gpu_options=opts))
    try:
        sess.run(tf.constant(1))
    finally:
        sess.close()


run(0.1)
