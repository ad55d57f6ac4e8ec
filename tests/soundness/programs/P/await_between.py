"""Two tasks: an await stands between the settings of one and its session."""

import asyncio

import tensorflow as tf


async def train(name, soft, pause):
    config = tf.ConfigProto(allow_soft_placement=soft)
    await asyncio.sleep(pause)
    with tf.Graph().as_default(), tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))
    print(name)


async def main():
    await asyncio.gather(train("a", True, 0.02), train("b", False, 0.01))


asyncio.run(main())
