"""Supervisor.managed_session makes its session where it is entered."""

import tempfile

import tensorflow as tf

tf.train.get_or_create_global_step()
value = tf.random_uniform([8])
supervisor = tf.train.Supervisor(logdir=tempfile.mkdtemp(), summary_op=None, save_model_secs=0)
managed = supervisor.managed_session(config=tf.ConfigProto(device_count={"GPU": 1}))
with tf.Graph().as_default(), tf.Session() as sess:
    print(len(sess.list_devices()))
with managed as sess:
    sess.run(value)
    print(len(sess.list_devices()))
