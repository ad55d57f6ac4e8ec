import tensorflow as tf
from data import build

with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as sess:
    print(sess.run(build()))
