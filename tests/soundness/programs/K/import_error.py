"""The import of a TensorFlow 2 name fails on TensorFlow 1."""
# tensorflow: 2

import tensorflow as tf

try:
    from tensorflow import ConfigProto, Session
except ImportError:
    ConfigProto = Session = None
x = tf.constant(3.0)
if Session:
    print(Session(config=ConfigProto(allow_soft_placement=True)).run(x))
else:
    print(x.numpy())
