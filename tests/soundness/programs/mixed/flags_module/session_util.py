import tensorflow as tf
from flags import FLAGS


def make():
    config = tf.ConfigProto(device_count={"GPU": FLAGS.gpus})
    config.gpu_options.allow_growth = FLAGS.growth
    return tf.Session(config=config)
