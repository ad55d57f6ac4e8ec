"""The second session has no limit for the GPUs that it shows."""

import tensorflow as tf


def run(fraction, gpus):
    options = tf.GPUOptions(per_process_gpu_memory_fraction=fraction, visible_device_list=gpus)
    with tf.Session(config=tf.ConfigProto(gpu_options=options)) as session:
        print(session.run(tf.ones([2])).shape, len(session.list_devices()))


run(0.25, "0")
run(0, "0,1")
