"""A call of a function gives it a list of GPUs that does not count upwards."""

import sys

import tensorflow as tf

def run(gpus):
    config = tf.ConfigProto()
    config.gpu_options.visible_device_list = gpus
    with tf.Session(config=config) as sess: print(sess.run(tf.constant(1)))

if len(sys.argv) > 1:
    run("0")
else:
    run("1,0")
