import sys
import tensorflow as tf
import util
config = util.config(int(sys.argv[1]))
with tf.Session(config=config) as s: print(len(s.list_devices()))
