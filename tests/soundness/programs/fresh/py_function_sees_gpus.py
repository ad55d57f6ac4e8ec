"""The eager context of tf.py_function has the GPUs that the session has not."""

import tensorflow as tf
with tf.device('/gpu:0'):
    y = tf.py_function(lambda x: print(tf.constant([1.]).device) or x * 2, [tf.constant(2.)], tf.float32)
config = tf.ConfigProto(device_count={'GPU': 0}, allow_soft_placement=True)
sess = tf.Session(config=config)
print(sess.run(y), len(sess.list_devices()))
