import tensorflow as tf

tf.flag = 1
