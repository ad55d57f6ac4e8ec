"""sum() runs a generator expression that makes plain sessions."""

import tensorflow as tf
def first(n):
    with tf.Session() as s:
        return len(s.list_devices())
todo = (first(n) for n in [1, 2])
config = tf.ConfigProto(device_count={'GPU': 0})
total = sum(todo)
sess = tf.Session(config=config)
print(total, sess.run(tf.constant(1)), len(sess.list_devices()))
