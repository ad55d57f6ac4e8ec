"""A function gives Keras its session after it has lost one, and evaluates in it."""
# expect: safe

import tensorflow as tf
from tensorflow.keras import backend as K


def work():
    K.clear_session()
    config = tf.ConfigProto()
    config.gpu_options.visible_device_list = "0"
    K.set_session(tf.Session(config=config))
    print(K.eval(tf.constant(3.0) + 1))
    print(len(K.get_session().list_devices()))


work()
