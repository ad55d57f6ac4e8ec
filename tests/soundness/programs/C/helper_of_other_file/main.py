import sys

import tensorflow as tf
from utils import select_gpu

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
select_gpu(sys.argv[1])
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
