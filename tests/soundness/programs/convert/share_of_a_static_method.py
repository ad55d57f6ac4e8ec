"""A static method makes a session that takes the share of the memory that it is given."""
# expect: safe

import tensorflow as tf


class Sessions(object):
    @staticmethod
    def open(frac=0.5):
        options = tf.GPUOptions(per_process_gpu_memory_fraction=frac)
        return tf.Session(config=tf.ConfigProto(gpu_options=options))


if __name__ == "__main__":
    with Sessions.open(0.25) as sess:
        print(sess.run(tf.constant(1.0)))
