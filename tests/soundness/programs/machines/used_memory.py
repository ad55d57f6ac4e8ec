"""A fraction is of the whole card, whatever others hold of it."""
# gpus: sim:16GiB(used=4GiB)

import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = 0.5
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
