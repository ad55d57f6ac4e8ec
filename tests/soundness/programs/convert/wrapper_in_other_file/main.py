import tensorflow as tf
from tf_util import make_session

with make_session() as sess:
    sess.run(tf.random_uniform([8]))
