"""TensorFlow refuses the graph of a session; `finally` uses up a generator, which makes one."""

import sys

import tensorflow as tf


def sizes():
    with tf.Session() as session:
        yield len(session.list_devices())
    sys.exit(0)


left = sizes()
config = tf.ConfigProto(gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=0.25))
try:
    tf.Session(graph="train", config=config)
finally:
    for size in left:
        print(size)
