import tensorflow as tf
import utils

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as session:
    print(utils.NAME)
    print(session.run(tf.zeros([2])).shape)
