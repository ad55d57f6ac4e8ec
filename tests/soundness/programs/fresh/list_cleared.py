"""The list whose length is the value of a setting is cleared."""

import tensorflow as tf
gpus = ['a']
config = tf.ConfigProto(device_count={'GPU': len(gpus)})
with tf.Session() as p:
    k = len(p.list_devices())
gpus.clear()
with tf.Session(config=config) as sess:
    print(k, len(sess.list_devices()))
