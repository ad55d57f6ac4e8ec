import sys
import tensorflow as tf
val = sys.argv[1] if len(sys.argv) > 1 else 'x'
config = tf.ConfigProto()
try:
    config.gpu_options.allow_growth = val == 'x' and 'yes'
except TypeError:
    print('TypeError')
with tf.Session(config=config) as s: print(s.run(tf.constant(1)))
