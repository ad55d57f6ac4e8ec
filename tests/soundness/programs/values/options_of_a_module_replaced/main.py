import os
import sys
import tensorflow as tf
import argparse
import opts
opts.args = argparse.Namespace(gpu="1,0")
config = tf.ConfigProto()
config.gpu_options.visible_device_list = str(opts.args.gpu)
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1) + 1))
