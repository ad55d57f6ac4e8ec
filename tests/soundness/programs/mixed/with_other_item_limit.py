"""A context manager in front of the session, in the same `with`, makes the GPUs."""

import tensorflow as tf


class Warm:
    def __enter__(self):
        self.sess = tf.Session()
        print(len(self.sess.list_devices()))

    def __exit__(self, *_):
        pass


warm = Warm()
config = tf.ConfigProto(gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=0.4))
with warm, tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
