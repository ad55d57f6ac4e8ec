"""A method of the program has the name of one of Horovod, and makes a session between."""

import tensorflow as tf


class Model:
    def size(self):
        with tf.Session() as sess:
            print(len(sess.list_devices()))
        return 3


def main():
    model = Model()
    config = tf.ConfigProto()
    config.gpu_options.per_process_gpu_memory_fraction = 0.4
    rows = model.size()
    with tf.Session(config=config) as sess:
        print(len(sess.list_devices()))


main()
