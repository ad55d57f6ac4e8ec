"""A thread's session is refused, and the program sees by which error."""

import threading

import tensorflow as tf

threading.excepthook = lambda told: print(told.exc_type.__name__)


def work():
    config = tf.ConfigProto()
    config.gpu_options.visible_device_list = "7"
    tf.Session(config=config)


thread = threading.Thread(target=work)
thread.start()
thread.join()
