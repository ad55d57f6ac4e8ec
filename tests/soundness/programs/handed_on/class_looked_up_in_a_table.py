"""A class of sessions is looked up by its name, in TensorFlow out of a table."""

import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
with tf.device('/gpu:7'):
    x = tf.constant(1.)
config = tf.ConfigProto(allow_soft_placement=True)
sess = tf.Session(config=config)
print(sess.run(x))
LIBS = {'tf': tf}
other = getattr(LIBS['tf'], 'Session')(graph=x.graph)
try:
    print(other.run(x))
except tf.errors.InvalidArgumentError:
    print('no such device')
