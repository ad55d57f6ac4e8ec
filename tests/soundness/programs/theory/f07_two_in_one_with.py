"""Two sessions of one `with`: the second is plain and shows both GPUs."""

import tensorflow as tf

config = tf.ConfigProto(device_count={"GPU": 1}, log_device_placement=False)
config.allow_soft_placement = True
with tf.Session(config=config) as a, tf.Session() as b:
    print(len(a.list_devices()), len(b.list_devices()))
