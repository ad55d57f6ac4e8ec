"""tf.random.Generator makes the runtime start at the import of the program."""
# tensorflow: 2

import tensorflow as tf

GENERATOR = tf.random.Generator.from_seed(1)


def export():
    config = tf.compat.v1.ConfigProto(inter_op_parallelism_threads=3)
    with tf.compat.v1.Session(graph=tf.Graph(), config=config) as sess:
        return len(sess.list_devices())


print(export())
