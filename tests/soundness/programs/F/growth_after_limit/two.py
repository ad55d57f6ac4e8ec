import tensorflow as tf


def go():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    with tf.Graph().as_default(), tf.Session(config=config) as sess:
        with tf.device("/gpu:1"):
            sess.run(tf.random_uniform([8]))
