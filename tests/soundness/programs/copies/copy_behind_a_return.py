"""A function may return its config before options are copied into it."""
# argv: --bare
import sys
import tensorflow as tf
def main():
    base = tf.GPUOptions(allow_growth=True)
    config = tf.ConfigProto()
    if len(sys.argv) > 1:
        return config
    config.gpu_options.CopyFrom(base)
    return config
with tf.Session(config=main()) as sess:
    print(sess.run(tf.constant(1)))
