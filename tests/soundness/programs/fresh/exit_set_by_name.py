"""`setattr` gives a class its `__exit__`."""

import tensorflow as tf
class Guard(object):
    def __enter__(self): return self
    def __exit__(self, *a): return False
def swallow(self, kind, value, tb):
    print("swallowed", kind.__name__)
    return True
setattr(Guard, "__exit__", swallow)
with Guard():
    config = tf.ConfigProto()
    config.gpu_options.visible_device_list = "7"
    sess = tf.Session(config=config)
print("done")
