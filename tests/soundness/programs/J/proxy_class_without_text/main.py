import tensorflow as tf
from model import net
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as s:
    print(s.run(net()))
