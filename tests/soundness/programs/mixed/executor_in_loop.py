"""run_in_executor makes sessions in threads, one with a config, one plain, one after another."""

import asyncio

import tensorflow as tf


def work(config):
    with tf.Graph().as_default(), tf.Session(config=config) as sess:
        return len(sess.list_devices())


async def main():
    loop = asyncio.get_running_loop()
    config = tf.ConfigProto(device_count={"GPU": 0})
    print(await loop.run_in_executor(None, work, config))
    print(await loop.run_in_executor(None, work, None))


asyncio.run(main())
