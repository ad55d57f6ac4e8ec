"""All calls of a function give it a list of GPUs that counts upwards."""
# expect: safe

import sys

import tensorflow as tf

def run(gpus, last=1):
    config = tf.ConfigProto()
    config.gpu_options.visible_device_list = gpus if last else str(last)
    with tf.Session(config=config) as sess: print(sess.run(tf.constant(1)))

if len(sys.argv) > 1:
    run("0", 0)
else:
    run("0,1")
