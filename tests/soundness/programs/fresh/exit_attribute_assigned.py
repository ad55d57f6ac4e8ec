"""`__exit__` is stored in a class afterwards, and sees which error a session raised."""

import tensorflow as tf
class Base:
    def __enter__(self): return self
class Guard(Base): pass
Guard.__exit__ = lambda self, k, v, t: bool(k) and (print(k.__name__) or True)
guard = Guard()
with guard:
    config = tf.ConfigProto()
    config.gpu_options.visible_device_list = "7"
    tf.Session(config=config)
print("on")
