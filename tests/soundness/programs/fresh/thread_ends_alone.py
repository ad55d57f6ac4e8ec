"""TensorFlow refuses the graph of a session in a thread: the program goes on with a plain one."""

import threading

import tensorflow as tf


def train():
    config = tf.ConfigProto(gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=0.25))
    tf.Session(graph="train", config=config)


thread = threading.Thread(target=train)
thread.start()
thread.join()
with tf.Session() as session:
    print(len(session.list_devices()))
