"""An async generator yields batches; a plain session is made inside of it."""

import asyncio

import tensorflow as tf


async def batches():
    for size in (2, 3):
        with tf.Graph().as_default(), tf.Session() as sess:
            sess.run(tf.random_uniform([size]))
        yield size


async def main():
    config = tf.ConfigProto(device_count={"GPU": 1})
    async for size in batches():
        with tf.Graph().as_default(), tf.Session(config=config) as sess:
            print(size, len(sess.list_devices()))


asyncio.run(main())
