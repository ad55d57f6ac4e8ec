import tensorflow as tf

del tf.flag
