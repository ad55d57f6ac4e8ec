import nets.trainer
import nets
import tensorflow as tf


class Hard:
    def make_config(self):
        return None


class HardTrainer(Hard, nets.Trainer):
    pass


nets.Trainer().train()
try:
    HardTrainer().train()
except tf.errors.InvalidArgumentError:
    print("no such device")
