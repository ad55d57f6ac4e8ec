"""Processes are kept in a list, and each makes a session of its own."""
# expect: safe

import multiprocessing

import tensorflow as tf


def work(index):
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    with tf.Session(config=config) as sess:
        sess.run(tf.constant(float(index)))


class Worker(multiprocessing.Process):
    def __init__(self, index):
        super().__init__()
        self.index = index

    def run(self):
        work(self.index)


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    workers = []
    for index in range(2):
        worker = Worker(index)
        workers.append(worker)
        worker.start()
    workers += [multiprocessing.Process(target=work, args=(index,)) for index in range(2)]
    for number, worker in enumerate(workers):
        if number > 1:
            worker.start()
    for worker in workers:
        worker.join()
    print([worker.exitcode for worker in workers])
