"""A creator's session with soft placement, then a plain session."""

import tensorflow as tf

tf.train.get_or_create_global_step()
value = tf.random_uniform([8])
scaffold = tf.train.Scaffold(saver=tf.train.Saver())
creator = tf.train.ChiefSessionCreator(
    scaffold, config=tf.ConfigProto(allow_soft_placement=True, device_count={"GPU": 0})
)
with tf.train.MonitoredSession(creator) as sess:
    sess.run(value)
with tf.Graph().as_default(), tf.Session() as sess:
    print(len(sess.list_devices()))
