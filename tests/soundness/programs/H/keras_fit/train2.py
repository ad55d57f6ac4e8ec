import common
import tensorflow as tf

print(common.SCALE, tf.executing_eagerly(), float(tf.constant(2.0)))
