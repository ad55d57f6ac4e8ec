import functools
import multiprocessing
import os

import tensorflow as tf


def make_session(config=None, num_cpu=None, graph=None):
    if num_cpu is None:
        num_cpu = int(os.getenv("RCALL_NUM_CPU", multiprocessing.cpu_count()))
    if config is None:
        config = tf.ConfigProto(
            allow_soft_placement=True,
            inter_op_parallelism_threads=num_cpu,
            intra_op_parallelism_threads=num_cpu,
        )
    return tf.Session(config=config, graph=graph)


def single_threaded_session():
    return make_session(num_cpu=1)


def in_session(function):
    @functools.wraps(function)
    def newfunc(*args, **kwargs):
        with tf.Session():
            return function(*args, **kwargs)

    return newfunc
