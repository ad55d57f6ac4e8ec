"""What a thread calls runs behind the settings, since its object is made behind them."""

# expect: safe

import threading

import tensorflow as tf


class Feeder(threading.Thread):
    def __init__(self, coord, sess, operation, value):
        super(Feeder, self).__init__(name="feeder")
        self.coord, self.sess, self.operation, self.value = coord, sess, operation, value

    def run(self):
        for number in range(4):
            if not self.coord.should_stop():
                self.sess.run(self.operation, {self.value: float(number)})


def main():
    value = tf.placeholder(tf.float32, [])
    queue = tf.FIFOQueue(10, [tf.float32], shapes=[[]])
    enqueue = queue.enqueue(value)
    result = queue.dequeue() * 2
    coord = tf.train.Coordinator()
    config = tf.ConfigProto(log_device_placement=False, allow_soft_placement=True)
    config.gpu_options.per_process_gpu_memory_fraction = 0.2
    with tf.Session(config=config) as sess:
        feeder = Feeder(coord, sess, enqueue, value)
        feeder.start()
        for _ in range(4):
            print(sess.run(result))
        coord.request_stop()
        coord.join([feeder])


if __name__ == "__main__":
    main()
