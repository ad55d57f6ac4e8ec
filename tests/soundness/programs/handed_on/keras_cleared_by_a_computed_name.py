"""Keras loses its session by a name that is computed."""

import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
from tensorflow.compat.v1.keras import backend as K
def model():
    print(K.get_value(K.variable(1.)))
config = tf.ConfigProto(log_device_placement=True)
K.set_session(tf.Session(config=config))
model()
getattr(K, 'clear_' + 'session')()
model()
