import tensorflow as tf

config = tf.ConfigProto(gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=0.5))
import settings

with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([settings.SIZE]))
