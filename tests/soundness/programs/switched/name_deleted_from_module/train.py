import tensorflow as tf


config = tf.ConfigProto()
config.gpu_options.allow_growth = True
sess = tf.Session(config=config)
print(sess.run(tf.constant(1)))
tf.flag = 2
import patch  # noqa: E402, F401

print(hasattr(tf, "flag"))
