import atexit

import final
import tensorflow as tf

with tf.Session() as sess:
    sess.run(tf.random_uniform([8]))
atexit._run_exitfuncs()
