import data
import tensorflow as tf

config = tf.compat.v1.ConfigProto()
config.gpu_options.allow_growth = True
with tf.compat.v1.Session(graph=tf.Graph(), config=config) as sess:
    print(len(sess.list_devices()), data.SIZE)
