import tensorflow as tf

NAME = tf.metrics.__name__.rpartition(".")[0]
