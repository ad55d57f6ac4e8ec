"""A pool of threads makes the plain session between config and session."""

from concurrent.futures import ThreadPoolExecutor

import tensorflow as tf


def probe():
    with tf.Graph().as_default(), tf.Session() as sess:
        sess.run(tf.random_uniform([8]))
    return "done"


config = tf.ConfigProto(gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=0.3))
with ThreadPoolExecutor(1) as pool:
    print(pool.submit(probe).result())
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
