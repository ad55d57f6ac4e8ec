"""A thread runs a method of another class for an object."""
# argv: --x
import sys, os, functools, contextlib
import tensorflow as tf
class T(object):
    def __init__(self):
        self.config = tf.ConfigProto(allow_soft_placement=True, gpu_options=tf.GPUOptions(visible_device_list='1'))
    def run(self):
        with tf.Session(config=self.config) as s:
            print(s.run(tf.constant(1)))
import threading
class U(object):
    def reset(self):
        self.config = None
t = T()
h = threading.Thread(target=U.reset, args=(t,))
h.start()
h.join()
t.run()
