"""Numbers get their special methods by names that are put together."""

import os

import tensorflow as tf


def act(self, *others):
    os.environ["CUDA_VISIBLE_DEVICES"] = "1"
    return True


class Level(int):
    pass


for name in ("gt", "bool"):
    setattr(Level, "__" + name + "__", act)

level = Level(2)
config = tf.ConfigProto(device_count={"GPU": 1})
if level:
    config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
