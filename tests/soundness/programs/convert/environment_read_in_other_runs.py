"""Growth and a limit become a variable; a line that reads all of them is left out in this run."""
# expect: assumption

import multiprocessing
import os
import sys

import tensorflow as tf

workers = multiprocessing.cpu_count()
options = tf.GPUOptions(allow_growth=True, per_process_gpu_memory_fraction=0.4)
with tf.Session(config=tf.ConfigProto(gpu_options=options)) as sess:
    sess.run(tf.random_uniform([8]))
if len(sys.argv) > 1:
    print(workers, sorted(os.environ))
