"""SessionManager.prepare_session makes a plain session."""

import tensorflow as tf

with tf.Session(config=tf.ConfigProto(device_count={"GPU": 0})) as sess:
    sess.run(tf.random_uniform([8]))
tf.Variable(1.0)
manager = tf.train.SessionManager()
sess = manager.prepare_session("", init_op=tf.global_variables_initializer())
print(len(sess.list_devices()))
