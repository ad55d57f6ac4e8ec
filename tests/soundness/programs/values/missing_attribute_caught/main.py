import argparse
import tensorflow as tf
parser = argparse.ArgumentParser()
parser.add_argument('--fraction', type=float, default=0.5)
args = parser.parse_args()
config = tf.ConfigProto()
try:
    config.gpu_options.allow_growth = args.growth
except AttributeError:
    print('no --growth')
with tf.Session(config=config) as s:
    print(s.run(tf.constant(1)))
