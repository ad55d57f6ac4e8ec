"""Growth beside a limit is a variable of the environment, and stays."""

import tensorflow as tf


class Trainer(object):
    growth = True
    gpus = "0"

    def __init__(self):
        config = tf.ConfigProto()
        config.gpu_options.allow_growth = self.growth
        config.gpu_options.per_process_gpu_memory_fraction = 0.4
        config.gpu_options.visible_device_list = self.gpus
        self.session = tf.Session(config=config)


class Big(Trainer):
    growth = False
    gpus = "0,1"


for kind in (Trainer, Big):
    print(len(kind().session.list_devices()))
