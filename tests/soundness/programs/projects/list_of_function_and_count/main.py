import sys
import tensorflow as tf
from gpu import gpu_options

config = tf.ConfigProto(device_count={'GPU': 0 if '--cpu' in sys.argv else 1}, gpu_options=gpu_options())
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1.0)))
