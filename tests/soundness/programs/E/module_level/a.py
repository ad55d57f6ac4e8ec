import tensorflow as tf

CONFIG = tf.ConfigProto()
CONFIG.gpu_options.per_process_gpu_memory_fraction = 0.4


def go():
    with tf.Session(config=CONFIG) as sess:
        sess.run(tf.random_uniform([8]))
