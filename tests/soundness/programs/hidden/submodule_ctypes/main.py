from conf import ctypes, config
import tensorflow as tf
with tf.Session(config=config) as s: print(s.run(tf.constant(1)))
print(ctypes.X)
