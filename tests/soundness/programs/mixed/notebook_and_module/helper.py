import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = 0.4


def check():
    with tf.Graph().as_default(), tf.Session() as sess:
        return len(sess.list_devices())
