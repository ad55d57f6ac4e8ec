"""`__exit__` is no `def`, and sees which error a session raised."""

import tensorflow as tf


class Tell:
    def __enter__(self):
        return self

    __exit__ = lambda self, kind, value, trace: print(kind.__name__) or True


with Tell():
    config = tf.ConfigProto()
    config.gpu_options.visible_device_list = "7"
    tf.Session(config=config)
print("on")
