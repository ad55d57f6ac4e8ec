"""The keywords of the Saver are in a dictionary."""

import tensorflow as tf

OPTIONS = {"sharded": True, "max_to_keep": 3}
tf.Variable(1.0)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
saver = tf.train.Saver(**OPTIONS)
with tf.Session(config=tf.ConfigProto(device_count={"GPU": 0})) as sess:
    print(len(sess.list_devices()))
