"""A context manager of the program makes a session that takes a share of the memory."""
# expect: safe

import contextlib

import tensorflow as tf


@contextlib.contextmanager
def session(frac=0.25):
    options = tf.GPUOptions(per_process_gpu_memory_fraction=frac)
    with tf.Session(config=tf.ConfigProto(gpu_options=options)) as sess:
        yield sess


if __name__ == "__main__":
    with session() as sess:
        print(sess.run(tf.constant(1.0)))
