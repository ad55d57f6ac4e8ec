"""Options of a function are copied in some runs only, and made in these."""
# expect: safe
# argv: --more
import sys
import tensorflow as tf
def options():
    found = tf.GPUOptions()
    found.allow_growth = True
    return found
config = tf.ConfigProto()
if len(sys.argv) > 1:
    config.gpu_options.CopyFrom(options())
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
