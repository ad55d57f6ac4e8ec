"""A hook raises AbortedError: the monitored session makes a second one, with the same config."""

import tensorflow as tf


class Abort(tf.train.SessionRunHook):
    done = False

    def after_run(self, run_context, run_values):
        if not self.done:
            self.done = True
            raise tf.errors.AbortedError(None, None, "lost")


step = tf.train.get_or_create_global_step()
increment = tf.assign_add(step, 1)
config = tf.ConfigProto(allow_soft_placement=True)
with tf.train.MonitoredTrainingSession(config=config, hooks=[Abort()]) as sess:
    for _ in range(3):
        sess.run(increment)
with tf.Graph().as_default(), tf.Session() as sess:
    print(len(sess.list_devices()))
