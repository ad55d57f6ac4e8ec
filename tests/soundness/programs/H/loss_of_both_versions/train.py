import tensorflow as tf

import scaling

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    print(sess.run(scaling.double(tf.placeholder_with_default([1.0, 2.0], [2]))))
