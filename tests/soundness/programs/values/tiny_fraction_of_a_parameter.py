"""A function gets a fraction that is less than 1 MiB of the GPU."""
import tensorflow as tf


def make(fraction):
    return tf.ConfigProto(gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=fraction))


with tf.Session(config=make(0.0001)) as sess:
    print(sess.run(tf.constant([1.0]) * 2))
