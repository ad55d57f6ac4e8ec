"""The session is made in the else of a loop."""

import tensorflow as tf

config = tf.ConfigProto(device_count={"GPU": 0})
for number in range(2):
    if number > 5:
        break
else:
    print(len(tf.Session(config=config).list_devices()))
print(len(tf.Session().list_devices()))
