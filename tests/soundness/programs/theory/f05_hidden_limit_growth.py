"""A fraction with one GPU, then growth with both: GPU 1 grows."""

import tensorflow as tf


def run(count, **options):
    options = tf.GPUOptions(**options)
    config = tf.ConfigProto(device_count={"GPU": count}, gpu_options=options)
    with tf.Graph().as_default(), tf.Session(config=config) as sess:
        with tf.device("/gpu:%d" % (count - 1)):
            sess.run(tf.random_uniform([8]))


run(1, per_process_gpu_memory_fraction=0.25)
run(2, allow_growth=True)
