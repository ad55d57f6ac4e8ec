"""Session classes in a dictionary."""

import tensorflow as tf

KINDS = {"plain": tf.Session, "interactive": tf.InteractiveSession}
with tf.Session(config=tf.ConfigProto(device_count={"GPU": 1})) as sess:
    sess.run(tf.random_uniform([8]))
print(len(KINDS["plain"]().list_devices()))
