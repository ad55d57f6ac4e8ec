import tensorflow as tf
import constants

with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as sess:
    print(sess.run(constants.PI) > 3)
