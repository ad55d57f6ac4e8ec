import tensorflow as tf
from runtime import open_session
x = tf.constant([1., 2.])
y = tf.reduce_sum(x * x)
with open_session() as sess:
    print(sess.run(y) >= 0)
