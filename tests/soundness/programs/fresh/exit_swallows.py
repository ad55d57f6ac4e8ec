"""`__exit__` swallows what the call of a session raises."""

import tensorflow as tf
class Quiet:
    def __enter__(self): return self
    def __exit__(self, *a): return True
cfg = tf.ConfigProto(device_count={'GPU': 0})
with Quiet():
    s = tf.Session(config=cfg, graph="default")
print(len(tf.Session().list_devices()))
