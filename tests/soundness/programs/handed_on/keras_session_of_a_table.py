"""Keras makes its session through TensorFlow out of a table."""

import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
LIBS = {'tf': tf}
config = tf.ConfigProto(log_device_placement=True)
sess = tf.Session(config=config)
print(sess.run(tf.constant(1)))
print(LIBS['tf'].keras.backend.get_session().run(tf.constant(2)))
