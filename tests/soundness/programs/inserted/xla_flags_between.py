"""TF_XLA_FLAGS is written between a config and its session."""
import os
import tensorflow as tf
def make_config():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    return config
def main():
    config = make_config()
    os.environ["TF_XLA_FLAGS"] = "--tf_xla_auto_jit=2"
    x = tf.placeholder(tf.float32, [4])
    y = tf.reduce_sum(tf.exp(x * 2.0 + 1.0))
    with tf.Session(config=config) as sess:
        print(sess.run(y, {x: [1.0, 2.0, 3.0, 4.0]}))
main()
