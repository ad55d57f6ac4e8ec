"""Options are copied into a config in some runs only."""
import sys
import tensorflow as tf
base = tf.GPUOptions(allow_growth=True)
config = tf.ConfigProto()
if len(sys.argv) > 1:
    config.gpu_options.CopyFrom(base)
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
