"""Virtual GPUs are of one session where the map agrees: one GPU, split, then plain."""
# gpus: sim:16GiB

import tensorflow as tf

virtual = tf.GPUOptions.Experimental.VirtualDevices(memory_limit_mb=[2048, 1024])
experimental = tf.GPUOptions.Experimental(virtual_devices=[virtual])
config = tf.ConfigProto(gpu_options=tf.GPUOptions(experimental=experimental))
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
with tf.Session() as sess:
    print(len(sess.list_devices()))
