"""A callback of the event loop makes the plain session."""

import asyncio

import tensorflow as tf


def evaluate():
    tf.Session().run(tf.random_uniform([8]))


async def train():
    asyncio.get_running_loop().call_soon(evaluate)
    config = tf.ConfigProto()
    config.gpu_options.per_process_gpu_memory_fraction = 0.4
    await asyncio.sleep(0)
    with tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))


asyncio.run(train())
