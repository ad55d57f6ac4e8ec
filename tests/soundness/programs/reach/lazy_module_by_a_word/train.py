from tensorflow.python.util import lazy_loader

import tensorflow as tf

config = tf.ConfigProto(allow_soft_placement=True)
sess = tf.Session(config=config)
print(sess.run(tf.constant(1)))
lazy_loader.LazyLoader("ref", globals(), "ref").ref()
