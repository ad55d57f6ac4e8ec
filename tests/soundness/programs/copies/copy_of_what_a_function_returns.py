"""A function returns the options of the module, which are copied in some runs."""
import sys
import tensorflow as tf
base = tf.GPUOptions(allow_growth=True)
def get():
    return base
config = tf.ConfigProto()
if len(sys.argv) > 1:
    config.gpu_options.CopyFrom(get())
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
