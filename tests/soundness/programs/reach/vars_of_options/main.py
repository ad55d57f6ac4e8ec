import argparse
import tensorflow as tf
def main(args):
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    with tf.Session(config=config) as s:
        print(s.run(tf.constant(1)), sorted(vars(args)))
parser = argparse.ArgumentParser()
parser.add_argument('--rate', type=float, default=0.1)
main(parser.parse_args())
