import tensorflow as tf
allow_growth = "mine"
from common import *
print(allow_growth)
with session() as sess:
    sess.run(tf.random_uniform([8]))
