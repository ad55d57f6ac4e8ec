"""A dictionary with attributes is updated between value and session."""

import tensorflow as tf
class Config(dict):
    __getattr__ = dict.__getitem__
    __setattr__ = dict.__setitem__
hp = Config(n=1)
config = tf.ConfigProto(device_count={'GPU': hp.n})
with tf.Session() as p:
    k = len(p.list_devices())
hp.update(n=0)
with tf.Session(config=config) as sess:
    print(k, len(sess.list_devices()))
