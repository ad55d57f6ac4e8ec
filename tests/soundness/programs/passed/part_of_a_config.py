"""An object takes GPUOptions."""
# expect: safe

import os
import sys

import tensorflow as tf
class T:
    def __init__(self, gpu_options):
        self.g = gpu_options
    def go(self):
        c = tf.ConfigProto(gpu_options=self.g, log_device_placement=False)
        with tf.Session(config=c) as s:
            print(s.run(tf.constant(1)))
t = T(tf.GPUOptions(per_process_gpu_memory_fraction=0.4))
t.go()
