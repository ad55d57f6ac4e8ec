"""An internal function counts the GPUs of the eager context."""

import tensorflow as tf
from tensorflow.python.distribute import mirrored_strategy

c = tf.ConfigProto(device_count={"GPU": 1})
with tf.Session(config=c) as s:
    print(len(s.list_devices()))
print(len(mirrored_strategy.all_local_devices()))
