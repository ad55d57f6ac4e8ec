"""Processes run what they take of a property that makes its session once."""
# expect: safe

import multiprocessing

import tensorflow as tf


class Holder(object):
    def __init__(self):
        self._session = None

    @property
    def session(self):
        if self._session is None:
            config = tf.ConfigProto()
            config.gpu_options.allow_growth = True
            self._session = tf.Session(config=config)
        return self._session


def work(number):
    value = tf.Variable(tf.ones([3]) * number)
    session = Holder().session
    session.run(value.initializer)
    print(session.run(value).shape)


if __name__ == "__main__":
    workers = [multiprocessing.Process(target=work, args=(it,)) for it in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
