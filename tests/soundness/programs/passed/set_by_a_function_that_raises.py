"""A function that sets fields raises in the middle."""
# argv: 1

import os
import sys

import tensorflow as tf

def setup(config):
    config.gpu_options.allow_growth = True
    if len(sys.argv) > 1:
        raise ValueError('no')
    config.gpu_options.visible_device_list = '1'

def main():
    config = tf.ConfigProto()
    try:
        setup(config)
    except Exception as e: print('caught', e)
    with tf.Session(config=config) as s: print(s.run(tf.constant(1)))

main()
