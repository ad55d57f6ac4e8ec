"""ChiefSessionCreator only stores the config; the session is made later."""

import tensorflow as tf

tf.train.get_or_create_global_step()
value = tf.random_uniform([8])
config = tf.ConfigProto(device_count={"GPU": 1})
scaffold = tf.train.Scaffold(saver=tf.train.Saver())
creator = tf.train.ChiefSessionCreator(scaffold, config=config)
with tf.Graph().as_default(), tf.Session() as sess:
    print(len(sess.list_devices()))
with tf.train.MonitoredSession(creator) as sess:
    sess.run(value)
    print(len(sess._tf_sess().list_devices()))
