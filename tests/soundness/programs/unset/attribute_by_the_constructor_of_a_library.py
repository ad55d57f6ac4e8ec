"""A class of a library sets the attribute."""
import sys, argparse
import tensorflow as tf
y = tf.constant(1)
class M(argparse.Namespace):
    def setup(self): self.config = tf.ConfigProto(gpu_options=tf.GPUOptions(visible_device_list='1'))
    def go(self):
        with tf.Session(config=self.config) as s: print(s.run(y))
m = M(config=None)
if len(sys.argv) > 1: m.setup()
m.go()
