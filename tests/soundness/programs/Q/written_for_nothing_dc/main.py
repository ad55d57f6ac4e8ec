import sys
import tensorflow as tf
n = int(sys.argv[1])
config = tf.ConfigProto(device_count={'GPU': n})
with tf.Session(config=config) as s: print(len(s.list_devices()))
