"""Config at the top, a helper's plain session, then its own: in front of the session is exact."""
# expect: safe

import tensorflow as tf


def check():
    with tf.Graph().as_default(), tf.Session() as sess:
        print(len(sess.list_devices()))


config = tf.ConfigProto(device_count={"GPU": 1}, allow_soft_placement=True)
check()
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
