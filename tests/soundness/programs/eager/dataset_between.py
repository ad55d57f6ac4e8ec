"""A dataset that nothing has read yet makes the GPUs between a config and its session."""
# tensorflow: 2

import tensorflow as tf
import tensorflow.compat.v1 as tf1

config = tf1.ConfigProto(gpu_options=tf1.GPUOptions(per_process_gpu_memory_fraction=0.5))


def data():
    return tf1.data.Dataset.range(3)


def main():
    numbers = data()
    with tf.Graph().as_default(), tf1.Session(config=config) as sess:
        print(sess.run(tf.constant(1.0)), numbers is not None)


main()
