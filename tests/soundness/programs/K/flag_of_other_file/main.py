import tensorflow as tf
from compat import TF2

if not TF2:
    sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
    print(sess.run(tf.constant(3.0)))
else:
    print(tf.constant(3.0).numpy())
