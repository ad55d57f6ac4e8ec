import tensorflow as tf

SCALE = float(tf.constant(2.0) * 3.0)
