"""The session comes by an internal module, behind a constant."""
# expect: safe
import tensorflow as tf
from tensorflow.python.client import session

value = tf.constant(3.0)
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
sess = session.Session(config=config)
print(sess.run(value))
