"""A program of compat.v1 with v2 behaviour turned off by itself."""
# expect: safe

import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()


def main():
    config = tf.ConfigProto(allow_soft_placement=True, log_device_placement=False)
    config.gpu_options.per_process_gpu_memory_fraction = 0.4
    with tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))


if __name__ == "__main__":
    main()
