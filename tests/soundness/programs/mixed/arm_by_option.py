"""An option of the command line decides which arm of a conditional expression makes a session."""

import argparse
import tensorflow as tf
p = argparse.ArgumentParser()
p.add_argument('--growth', action='store_true')
def session(args):
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    return tf.Session(config=config) if args.growth else tf.Session()
sess = session(p.parse_args())
print(len(sess.list_devices()))
