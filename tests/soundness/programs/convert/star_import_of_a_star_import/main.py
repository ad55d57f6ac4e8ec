import tensorflow as tf
from models import *

net = Net()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as s:
    print(s.run(net.out))
