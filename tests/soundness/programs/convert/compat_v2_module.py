"""`import tensorflow.compat.v2 as tf` and tf.compat.v1.ConfigProto."""
# expect: safe

import tensorflow.compat.v2 as tf

tf.compat.v1.disable_v2_behavior()
config = tf.compat.v1.ConfigProto(device_count={"GPU": 1})
with tf.compat.v1.Session(config=config) as sess:
    print(len(sess.list_devices()))
