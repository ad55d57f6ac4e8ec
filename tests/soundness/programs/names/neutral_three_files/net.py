import tensorflow as tf
def build(x): return tf.nn.relu(tf.matmul(x, tf.ones([2, 3])))
