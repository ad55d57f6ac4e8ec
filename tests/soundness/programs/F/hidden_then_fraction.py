"""No GPU in the first session, a fraction in the second, another in the third."""

import tensorflow as tf


def run(**fields):
    with tf.Graph().as_default(), tf.Session(config=tf.ConfigProto(**fields)) as sess:
        sess.run(tf.random_uniform([8]))
        print(len(sess.list_devices()))


run(device_count={"GPU": 0})
run(gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=0.25))
run(gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=0.75))
