import tensorflow as tf
import ops
import patch  # noqa: F401

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
sess = tf.Session(config=config)
print(sess.run(ops.op()))
