"""A property makes the session of the object when it is asked for."""
# expect: safe

import os
import sys

import tensorflow as tf

class T:
    def __init__(self, config):
        self._config = config
        self._sess = None
    @property
    def sess(self):
        if self._sess is None:
            self._sess = tf.Session(config=self._config)
        return self._sess
config = tf.ConfigProto(allow_soft_placement=True)
config.gpu_options.per_process_gpu_memory_fraction = 0.5
t = T(config)
print(t.sess.run(tf.constant(1)))
