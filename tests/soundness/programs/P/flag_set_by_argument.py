"""An argument in front of the config sets the flag that it has as a value."""

import tensorflow as tf

FLAGS = tf.app.flags.FLAGS
tf.app.flags.DEFINE_boolean("soft", True, "")


class Hook(tf.train.SessionRunHook):
    def __init__(self):
        FLAGS.soft = False


with tf.train.MonitoredTrainingSession(
    hooks=[Hook()], config=tf.ConfigProto(allow_soft_placement=FLAGS.soft)
) as sess:
    print(sess.should_stop())
