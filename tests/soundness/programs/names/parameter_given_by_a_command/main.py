import tensorflow as tf
import lib

config = tf.ConfigProto(device_count={'GPU': 0})
lib.train(config)
