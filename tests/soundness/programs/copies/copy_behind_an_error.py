"""What comes before a copy fails, and the error is caught."""
import sys
import tensorflow as tf
base = tf.GPUOptions(allow_growth=True)
config = tf.ConfigProto()
try:
    open(sys.argv[9])
    config.gpu_options.CopyFrom(base)
except Exception:
    pass
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
