"""`await` runs another task, which makes the plain session."""

import asyncio

import tensorflow as tf


async def evaluate():
    tf.Session().run(tf.random_uniform([8]))


async def train():
    config = tf.ConfigProto(device_count={"GPU": 0})
    await asyncio.sleep(0)
    with tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))


async def main():
    await asyncio.gather(train(), evaluate())


asyncio.run(main())
