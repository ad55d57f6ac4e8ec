import tensorflow as tf

import a
import b

with tf.Session(config=a.settings()) as sess:
    print(b.__name__, sess.run(tf.constant(1)))
