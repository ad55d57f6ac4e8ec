import tensorflow as tf
import horovod.tensorflow as hvd

hvd.init()


def make_config():
    config = tf.ConfigProto()
    config.gpu_options.visible_device_list = str(hvd.local_rank())
    return config
