"""A class of threads makes the eager context, in an object that is made before the config."""

import threading

import tensorflow as tf


class Counter(threading.Thread):
    def run(self):
        data = tf.data.Dataset.range(2).map(lambda number: number + 1)
        print(data)


def main():
    counter = Counter()
    counter.start()
    counter.join()
    config = tf.ConfigProto(allow_soft_placement=True)
    config.gpu_options.allow_growth = True
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(1)))


if __name__ == "__main__":
    main()
