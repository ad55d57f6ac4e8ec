"""A thread gives Keras a session of its own; the main thread's Keras makes another one."""

import threading

import tensorflow as tf
from tensorflow.keras import backend as K


def work():
    config = tf.ConfigProto(device_count={"GPU": 0})
    K.set_session(tf.Session(config=config))
    print(len(K.get_session().list_devices()))


def show():
    print(len(K.get_session().list_devices()))


thread = threading.Thread(target=work)
thread.start()
thread.join()
show()
