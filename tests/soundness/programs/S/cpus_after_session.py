"""Each session makes its own CPU devices: they are not too late behind another session."""
# expect: safe

import tensorflow as tf

first = tf.ConfigProto(allow_soft_placement=True)
with tf.Session(config=first) as session:
    print(len(session.list_devices()))
second = tf.ConfigProto(device_count={"CPU": 2})
with tf.Session(config=second) as session:
    print(len(session.list_devices()))
