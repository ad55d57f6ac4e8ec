"""A method of another class gives an object another config."""
# argv: --x
import sys, os, functools, contextlib
import tensorflow as tf
class T(object):
    def __init__(self):
        self.config = tf.ConfigProto(allow_soft_placement=True, gpu_options=tf.GPUOptions(visible_device_list='1'))
    def run(self):
        with tf.Session(config=self.config) as s:
            print(s.run(tf.constant(1)))
class Cpu(object):
    def use_cpu(self):
        self.config = tf.ConfigProto(device_count={'GPU': 0})
t = T()
if len(sys.argv) > 1:
    Cpu.use_cpu(t)
t.run()
