import tensorflow as tf
from cfg import *
config = tf.ConfigProto()
setattr(config, "allow_soft_placement", True)
config.gpu_options.allow_growth = True
sess = tf.Session(config=config)
with tf.device("/gpu:8"): c = tf.constant(1.)
try: print(sess.run(c))
except tf.errors.InvalidArgumentError: print("IAE")
