import tensorflow as tf
from pkg import gpus

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
gpus.choose(1)
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
