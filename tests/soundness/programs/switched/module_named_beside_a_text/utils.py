import tensorflow as tf

NAME = 1
print(tf.metrics.__name__, "loaded")
