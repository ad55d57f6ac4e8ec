import tensorflow as tf
from util import log

log("start")
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
log("config")
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
