import other
import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = 0.25
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
other.main()
