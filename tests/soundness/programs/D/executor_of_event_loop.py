"""An event loop gives an executor something to do."""

import asyncio
from concurrent.futures import ProcessPoolExecutor

import tensorflow as tf


def make_config():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    return config


def child():
    with tf.Session(config=config) as sess:
        print(sess.run(tf.random_uniform([8])).shape, len(sess.list_devices()), flush=True)


async def work():
    await asyncio.get_running_loop().run_in_executor(executor, child)


executor = ProcessPoolExecutor(1)
config = make_config()
asyncio.run(work())
