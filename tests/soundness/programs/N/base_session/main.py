import tensorflow as tf
x = tf.placeholder_with_default(1, [])
config = tf.ConfigProto(device_count={'GPU': 1})
with tf.Session(config=config) as s: print(s.run(x), len(s.list_devices()))
from tensorflow.python.client.session import BaseSession
print(len(BaseSession('').list_devices()))
