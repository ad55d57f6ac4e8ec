"""A `with` statement binds the attribute that its second session reads: settings stay behind it."""

import tensorflow as tf


class Holder:
    value = tf.ConfigProto(log_device_placement=True)

    def run(self):
        with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as self.first:
            print(self.first.run(tf.constant(1)))
        with open(__file__) as self.value, tf.Session(config=make(self.value)) as sess:
            print(sess.run(tf.constant(2)))


def make(file):
    return tf.ConfigProto(device_count={"GPU": len(file.readline()[:1])})


Holder().run()
