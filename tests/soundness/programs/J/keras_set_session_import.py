"""set_session is imported from Keras of TensorFlow, where TensorFlow 2 has none."""

# expect: safe

import tensorflow as tf
from tensorflow.keras.backend import set_session
c = tf.ConfigProto()
c.gpu_options.allow_growth = True
set_session(tf.Session(config=c))
with tf.Session() as s: print(len(s.list_devices()))
