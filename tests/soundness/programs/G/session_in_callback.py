"""A callback of eager training saves a graph in a session with soft placement off."""
# tensorflow: 2

import tensorflow as tf


class Export:
    def on_end(self):
        config = tf.compat.v1.ConfigProto(allow_soft_placement=False)
        config.gpu_options.per_process_gpu_memory_fraction = 0.3
        with tf.Graph().as_default(), tf.compat.v1.Session(config=config) as sess:
            print(len(sess.list_devices()))


weights = tf.Variable([1.0])
weights.assign_add([1.0])
Export().on_end()
