"""TensorFlow refuses the graph of a session in `__del__`, whose errors Python only reports."""

import tensorflow as tf


class Trainer:
    def __del__(self):
        config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
        tf.Session(graph="train", config=config)


trainer = Trainer()
del trainer
with tf.Session() as session:
    print(len(session.list_devices()))
