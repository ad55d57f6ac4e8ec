"""An async context manager makes a plain session when it is entered."""

import asyncio

import tensorflow as tf


class Section:
    async def __aenter__(self):
        tf.Session().run(tf.random_uniform([8]))

    async def __aexit__(self, *error):
        pass


async def main():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    async with Section():
        with tf.Session(config=config) as sess:
            sess.run(tf.random_uniform([8]))


asyncio.run(main())
