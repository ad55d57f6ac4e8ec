import conf
import tensorflow as tf
with tf.Session(config=conf.config) as s: print(s.run(tf.constant(1)))
print(hasattr(conf, 'ctypes'))
