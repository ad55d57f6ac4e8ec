"""A helper returns an InteractiveSession with a config."""
# expect: unsafe

import tensorflow as tf


def make_session(gpus):
    config = tf.ConfigProto(device_count={"GPU": gpus}, allow_soft_placement=True)
    return tf.InteractiveSession(config=config)


sess = make_session(1)
print(len(sess.list_devices()))
