"""A Supervisor's managed session with one GPU; then a plain session checks the result."""

import tempfile

import tensorflow as tf

step = tf.train.get_or_create_global_step()
noise = tf.random_uniform([8])
supervisor = tf.train.Supervisor(logdir=tempfile.mkdtemp(), summary_op=None, save_model_secs=0)
config = tf.ConfigProto(device_count={"GPU": 1}, allow_soft_placement=True)
with supervisor.managed_session(config=config) as sess:
    print(sess.run(noise).shape, len(sess.list_devices()))
with tf.Session(graph=tf.Graph()) as sess:
    print(len(sess.list_devices()))
