"""CUDA_VISIBLE_DEVICES=-1 from outside, with growth, a fraction and a count."""
# variables: CUDA_VISIBLE_DEVICES=-1

import tensorflow as tf

options = tf.GPUOptions(allow_growth=True, per_process_gpu_memory_fraction=0.25)
config = tf.ConfigProto(device_count={"GPU": 1}, gpu_options=options)
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
