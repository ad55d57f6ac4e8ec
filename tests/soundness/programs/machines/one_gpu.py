"""device_count GPU 4 on a machine with one."""
# gpus: sim:16GiB

import tensorflow as tf

config = tf.ConfigProto(device_count={"GPU": 4}, allow_soft_placement=True)
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
