import tensorflow as tf

from lib import net

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    print(sess.run(net(tf.constant([1.0, 2.0]))))
