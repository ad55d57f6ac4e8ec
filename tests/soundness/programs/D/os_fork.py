"""os.fork between config and session."""

import os

import tensorflow as tf

config = tf.ConfigProto(device_count={"GPU": 1})
config.gpu_options.allow_growth = True
child = os.fork()
if not child:
    status = 1
    try:
        tf.Session(config=config).run(tf.random_uniform([8]))
        status = 0
    finally:
        os._exit(status)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
