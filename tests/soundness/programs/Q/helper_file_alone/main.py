import nets
import tensorflow as tf

config = tf.ConfigProto(operation_timeout_in_ms=20000)
with tf.Session(config=config) as sess:
    sess.run(nets.noise())
