import tensorflow as tf
from model import net
config = tf.ConfigProto(allow_soft_placement=True)
with tf.Session(config=config) as s:
    print(s.run(net(tf.placeholder_with_default([0.5, 2.0], [2]))).shape)
