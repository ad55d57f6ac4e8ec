"""A limit of 0 is reported by nobody before, so no call with it may be written."""

import tensorflow as tf

part = tf.GPUOptions.Experimental.VirtualDevices
both = [part(memory_limit_mb=[-1]), part(memory_limit_mb=[64])]
options = tf.GPUOptions(experimental=tf.GPUOptions.Experimental(virtual_devices=both))
with tf.Session(config=tf.ConfigProto(gpu_options=options)) as session:
    print(len(session.list_devices()))
