"""TensorFlow refuses the graph of a session, and what runs at the end makes a plain one."""

import atexit
import sys

import tensorflow as tf


def evaluate():
    with tf.Session() as session:
        print(len(session.list_devices()))


def leave():
    sys.exit(0)


atexit.register(evaluate)
config = tf.ConfigProto(gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=0.25))
try:
    tf.Session(graph="train", config=config)
finally:
    leave()
