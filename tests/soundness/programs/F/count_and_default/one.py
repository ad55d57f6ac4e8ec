import tensorflow as tf


def go():
    config = tf.ConfigProto(device_count={"GPU": 1})
    config.gpu_options.per_process_gpu_memory_fraction = 0.5
    with tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))
