"""InteractiveSession() ignores what tf.config says and grows."""

import tensorflow as tf

sess = tf.InteractiveSession()
sess.run(tf.random_uniform([8]))
sess.close()
config = tf.ConfigProto(device_count={"GPU": 1}, allow_soft_placement=True)
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
interactive = tf.InteractiveSession()
print(len(interactive.list_devices()))
