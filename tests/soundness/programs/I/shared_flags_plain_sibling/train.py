import tensorflow as tf
from flags import FLAGS, ph
config = tf.ConfigProto()
config.gpu_options.allow_growth = FLAGS.growth
with tf.Session(config=config) as s: print(s.run(ph()))
