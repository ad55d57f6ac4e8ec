import ops
import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as session:
    session.run(tf.matmul(tf.ones([4, 4]), tf.ones([4, 4])))
