import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = 0.4
import other

with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([other.SIZE]))
