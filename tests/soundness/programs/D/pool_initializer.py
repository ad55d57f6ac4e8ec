"""A pool of processes: its initializer makes the session of each worker."""

import multiprocessing

import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = 0.2
state = {}


def start():
    state["sess"] = tf.Session(config=config)


def work(size):
    return int(state["sess"].run(tf.random_uniform([size])).shape[0])


if __name__ == "__main__":
    with multiprocessing.get_context("fork").Pool(1, initializer=start) as pool:
        print(pool.map_async(work, [2, 3]).get(timeout=20))
