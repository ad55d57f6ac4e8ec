import tensorflow as tf
from a.b.conf import make_config
with tf.Session(config=make_config()) as sess:
    print(sess.run(tf.constant(1.0)))
