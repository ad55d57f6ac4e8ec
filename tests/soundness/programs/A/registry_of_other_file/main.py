import registry
import tasks
import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
registry.run("score")
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
