"""A singleton by __new__ holds the session; two configs are given to it, the first counts."""

import tensorflow as tf


class Sessions:
    _instance = None

    def __new__(cls, config):
        if cls._instance is None:
            cls._instance = super().__new__(cls)
            cls._instance.sess = tf.Session(config=config)
        return cls._instance


first = Sessions(tf.ConfigProto(device_count={"GPU": 1}))
second = Sessions(tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True)))
print(first is second, len(second.sess.list_devices()))
