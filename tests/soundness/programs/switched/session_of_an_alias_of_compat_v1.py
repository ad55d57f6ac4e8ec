"""The session comes by an alias of compat.v1, the config by the raw module."""
# expect: safe
import tensorflow as tf
import tensorflow.compat.v1 as tf1

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
sess = tf1.Session(config=config)
print(sess.run(tf.constant(1.0)))
