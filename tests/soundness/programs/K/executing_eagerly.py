"""tf.executing_eagerly() decides between the two."""
# tensorflow: 2

import tensorflow as tf

x = tf.constant(1.0) + 2.0
if tf.executing_eagerly():
    print(x.numpy())
else:
    config = tf.compat.v1.ConfigProto()
    config.gpu_options.allow_growth = True
    with tf.compat.v1.Session(config=config) as sess:
        print(sess.run(x))
