"""A method is found by `__getattribute__`."""

import tensorflow as tf


class Tools:
    def hidden(self):
        with tf.Session(graph=tf.Graph()) as session:
            return len(session.list_devices())


config = tf.ConfigProto(device_count={"GPU": 0})
print(Tools().__getattribute__("hidden")())
sess = tf.Session(config=config)
print(sess.run(tf.constant(1)))
