"""Two lists of sessions, each with a number of GPUs of its own."""
import tensorflow as tf

some = tf.ConfigProto(device_count={"GPU": 1})
other = tf.ConfigProto(device_count={"GPU": 2})
first = [tf.Session(config=some) for _ in range(2)]
second = [tf.Session(config=other) for _ in range(2)]
for sess in first + second:
    print(len(sess.list_devices()))
