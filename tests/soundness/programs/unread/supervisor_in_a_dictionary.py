"""A Supervisor in a dictionary makes its session before another config is built."""

import tensorflow as tf

x = tf.Variable(1.0)
kept = {"one": tf.train.Supervisor(logdir=None)}


def run(supervisors):
    for supervisor in supervisors.values():
        with supervisor.managed_session() as sess:
            print(len(sess.list_devices()))


config = tf.ConfigProto(device_count={"GPU": 0})
run(kept)
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
