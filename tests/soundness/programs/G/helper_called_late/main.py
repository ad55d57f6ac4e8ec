import frozen
import tensorflow as tf

batch = tf.ones([2, 3])
print(frozen.devices())
print(float(tf.reduce_sum(batch)))
