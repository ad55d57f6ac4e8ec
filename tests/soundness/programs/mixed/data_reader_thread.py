"""A reader thread feeds a queue with a session of its own while the trainer starts."""

import queue
import threading

import tensorflow as tf

batches = queue.Queue()


def read():
    with tf.Graph().as_default():
        noise = tf.random_uniform([4])
        with tf.Session(config=tf.ConfigProto(device_count={"GPU": 0})) as sess:
            batches.put(sess.run(noise).shape[0])


reader = threading.Thread(target=read, daemon=True)
reader.start()
size = batches.get(timeout=20)
reader.join()
config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = 0.4
with tf.Session(config=config) as sess:
    print(sess.run(tf.random_uniform([size])).shape)
