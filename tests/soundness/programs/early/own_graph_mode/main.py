import lib
import tensorflow as tf
tf.compat.v1.disable_v2_behavior()
c = tf.compat.v1.ConfigProto(); c.gpu_options.allow_growth = True
with tf.compat.v1.Session(config=c) as s: print(lib.x)
