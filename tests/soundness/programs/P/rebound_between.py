"""The variable of the value has another value when the session is made."""

import tensorflow as tf

count = 1
config = tf.ConfigProto(device_count={"GPU": count})
for count in range(3):
    pass
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()), count)
