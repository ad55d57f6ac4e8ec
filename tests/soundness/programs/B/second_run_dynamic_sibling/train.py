import tensorflow as tf
from net import ph
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as s: print(s.run(ph()))
