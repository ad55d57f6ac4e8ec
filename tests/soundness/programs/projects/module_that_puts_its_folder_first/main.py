import lib.paths
import tensorflow as tf
from gpu import make_config

with tf.Session(config=make_config()) as sess:
    print(sess.run(tf.constant(1.0)))
