"""range, enumerate, len, str and int are names of the program."""

import tensorflow as tf

enumerate = str = int = len = range = None
config = tf.ConfigProto(gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=0.3))
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
print(enumerate, len)
