import tensorflow as tf

CONFIG = tf.ConfigProto(gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=0.3))


def run():
    with tf.Session(config=CONFIG) as sess:
        sess.run(tf.random_uniform([8]))
