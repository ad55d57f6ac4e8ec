"""A pool loads the data; the config of an object stays in the process that trains."""

# expect: safe

import multiprocessing

import tensorflow as tf


class Trainer(object):
    def __init__(self):
        self.config = tf.ConfigProto(allow_soft_placement=True)

    def fit(self, data):
        with tf.Session(config=self.config) as sess:
            print(sess.run(tf.constant(data)))


def load(number):
    return number * 2


def main():
    pool = multiprocessing.Pool(1)
    data = pool.map(load, [1, 2])
    pool.close()
    pool.join()
    Trainer().fit(data)


if __name__ == "__main__":
    main()
