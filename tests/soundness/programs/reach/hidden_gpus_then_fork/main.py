import multiprocessing
import signal

import tensorflow as tf


def child():
    signal.alarm(20)
    with tf.Session(graph=tf.Graph()) as sess:
        print([one.name for one in sess.list_devices()], flush=True)


config = tf.ConfigProto()
config.device_count["GPU"] = 0
with tf.Session(config=config) as sess:
    print([one.name for one in sess.list_devices()])

process = multiprocessing.get_context("fork").Process(target=child)
process.start()
process.join()
print("child", process.exitcode)
