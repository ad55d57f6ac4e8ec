"""A session that Keras is given in eager code logs where nothing else does."""
# tensorflow: 2

import tensorflow as tf

config = tf.compat.v1.ConfigProto(log_device_placement=True)
tf.compat.v1.keras.backend.set_session(tf.compat.v1.Session(config=config))
print((tf.constant(1.0) + 1.0).shape)
