"""The session is made in the condition of a loop, each time anew."""

import tensorflow as tf

config = tf.ConfigProto(device_count={"GPU": 1})
rounds = 0
while len(tf.Session(config=config).list_devices()) + rounds < 4:
    print(len(tf.Session().list_devices()))
    rounds += 1
print(rounds)
