"""Growth and a limit become a variable; to count processors starts no process that has it."""
# expect: safe

import multiprocessing

import tensorflow as tf

workers = multiprocessing.cpu_count()
options = tf.GPUOptions(allow_growth=True, per_process_gpu_memory_fraction=0.4)
with tf.Session(config=tf.ConfigProto(gpu_options=options)) as sess:
    sess.run(tf.random_uniform([8]))
