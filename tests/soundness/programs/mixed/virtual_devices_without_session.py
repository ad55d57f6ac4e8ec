"""Virtual devices for GPUs that the machine does not have, in a run without a session."""

import sys
import tensorflow as tf


class Trainer:
    def __init__(self):
        self.config = tf.ConfigProto()
        self.config.gpu_options.experimental.virtual_devices.add(memory_limit_mb=[100])
        self.config.gpu_options.experimental.virtual_devices.add(memory_limit_mb=[100])
        self.config.gpu_options.experimental.virtual_devices.add(memory_limit_mb=[100])

    def train(self):
        with tf.Session(config=self.config) as sess:
            print(sess.run(tf.constant(1.0)))


trainer = Trainer()
if len(sys.argv) > 1:
    trainer.train()
print("done")
