import tensorflow as tf
import patch

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
sess = tf.Session(config=config)
print(sess.run(tf.constant(1)))
print(tf.flag)
