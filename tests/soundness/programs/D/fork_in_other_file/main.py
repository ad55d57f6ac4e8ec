import parallel
import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.allow_growth = True


def work():
    with tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))


print(parallel.run(work))
