import tensorflow as tf
import model
config = tf.ConfigProto(operation_timeout_in_ms=5000)
with tf.Session(config=config) as s: print(s.run(model.net()))
