import tensorflow as tf
import tf_util


@tf_util.in_session
def play():
    return tf.random_uniform([8]).eval().shape


print(play())
with tf_util.make_session(num_cpu=1) as sess:
    sess.run(tf.random_uniform([8]))
