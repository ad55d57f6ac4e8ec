"""Objects that are not known are Python's, TensorFlow's or the program's own: no library is unread."""
# expect: safe
# argv: --sizes 4,2

import argparse
import json
import pickle
from collections import defaultdict

import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--sizes", default="4,2")
args = parser.parse_args()

networks = {}


def register(name):
    def wrapper(function):
        networks[name] = function
        return function

    return wrapper


@register("plain")
def plain(x, sizes):
    for size in sizes:
        x = tf.layers.dense(x, size)
    return x


class Settings:
    def __init__(self, **given):
        for key, value in given.items():
            setattr(self, key, value)


settings = Settings(**json.loads('{"kind": "plain", "tags": ["a"]}'))
seen = defaultdict(list)
for tag in settings.tags:
    seen["tags"].append(tag.upper())
pickle.dumps(dict(seen))
build = networks[settings.kind]
x = tf.placeholder(tf.float32, [None, 3])
y = build(x, [int(size) for size in args.sizes.split(",")])

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(y, {x: [[1, 2, 3]]}).shape)
