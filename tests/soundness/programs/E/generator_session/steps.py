import tensorflow as tf


def steps():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    yield "ready"
    with tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))
        yield "done"
