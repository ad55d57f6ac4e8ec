"""Options of the module are copied into the config of a function."""
# expect: safe
import tensorflow as tf
OPTIONS = tf.GPUOptions(allow_growth=True)
def make_config():
    config = tf.ConfigProto(allow_soft_placement=True)
    config.gpu_options.CopyFrom(OPTIONS)
    return config
def main():
    with tf.Session(config=make_config()) as sess:
        print(sess.run(tf.constant(1)))
main()
