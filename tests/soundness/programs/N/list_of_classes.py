"""A list of session classes is called in a comprehension."""

import tensorflow as tf

with tf.Session(config=tf.ConfigProto(device_count={"GPU": 1})) as sess:
    sess.run(tf.random_uniform([8]))
print([len(make().list_devices()) for make in [tf.Session]])
