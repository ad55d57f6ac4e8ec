"""What comes before a copy fails, and a manager swallows the error."""
import contextlib
import sys
import tensorflow as tf
base = tf.GPUOptions(allow_growth=True)
config = tf.ConfigProto()
with contextlib.suppress(IndexError):
    sys.argv[3]
    config.gpu_options.CopyFrom(base)
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
