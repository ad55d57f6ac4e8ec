import tensorflow as tf
from tensorflow.python.client import session
class Plain(session.BaseSession):
    pass
config = tf.ConfigProto(device_count={'GPU': 1})
with tf.Session(config=config) as sess:
    print(sess.run(tf.placeholder_with_default(1, [])), len(sess.list_devices()))
print(len(Plain().list_devices()))
