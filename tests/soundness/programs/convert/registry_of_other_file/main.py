import threading

import tensorflow as tf

import networks


class Worker:
    def __init__(self, net, sess):
        self.net = net
        self.sess = sess

    def work(self):
        print(self.sess.run(self.net.out))


def main():
    made = networks.get("small")(tf.constant([[1.0, 2.0]]))
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    with tf.Session(config=config) as sess:
        sess.run(tf.global_variables_initializer())
        workers = [Worker(made, sess) for _ in range(2)]
        threads = []
        for worker in workers:
            threads.append(threading.Thread(target=worker.work))
        for thread in threads:
            thread.start()
            thread.join()


if __name__ == "__main__":
    main()
