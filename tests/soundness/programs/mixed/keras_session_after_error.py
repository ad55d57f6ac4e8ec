"""The session for Keras may fail to be made, and Keras makes one itself."""

import tensorflow as tf
from tensorflow.keras import backend as K

try:
    config = tf.ConfigProto()
    config.gpu_options.visible_device_list = "7"
    K.set_session(tf.Session(config=config))
except Exception as error:
    print(type(error).__name__)
print(K.eval(tf.constant(3.0) + 1))
print(len(K.get_session().list_devices()))
