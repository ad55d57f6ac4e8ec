import tensorflow as tf
from pkg import ops

print(tf.executing_eagerly(), ops.double(tf.constant(2.0)).numpy())
