import tensorflow as tf

import settings
import data

with tf.Graph().as_default():
    sess = tf.compat.v1.Session(config=settings.CONFIG)
    print(sess.run(tf.constant(1.0)), data.SCALE)
