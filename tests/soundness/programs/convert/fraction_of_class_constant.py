"""The fraction is a constant of a class."""
# expect: safe

import tensorflow as tf


class Config(object):
    GPU_FRACTION = 0.5
    BATCH = 8


gpu_options = tf.GPUOptions(per_process_gpu_memory_fraction=Config.GPU_FRACTION)
with tf.Session(config=tf.ConfigProto(gpu_options=gpu_options)) as sess:
    print(sess.run(tf.constant(1)))
