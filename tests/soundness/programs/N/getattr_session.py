"""getattr(tf, "Session") makes a plain session."""

import tensorflow as tf

with tf.Session(config=tf.ConfigProto(device_count={"GPU": 0})) as sess:
    sess.run(tf.random_uniform([8]))
make = getattr(tf, "Session")
print(len(make().list_devices()))
