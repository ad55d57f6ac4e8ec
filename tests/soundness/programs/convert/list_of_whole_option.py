"""The list of GPUs is the text of an option that is a whole number."""
# expect: safe

import tensorflow as tf
import argparse

p = argparse.ArgumentParser()
p.add_argument("--gpu", type=int, default=0)
args = p.parse_args()
config = tf.ConfigProto()
config.gpu_options.visible_device_list = str(args.gpu)  # '%d' % args.gpu converts
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
