import tensorflow as tf
from distribution import pin

config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
pin()
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
