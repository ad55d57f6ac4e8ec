import sys
import tensorflow as tf
workers = int(sys.argv[1])
opts = tf.GPUOptions(per_process_gpu_memory_fraction=1.2 / workers)
with tf.Session(config=tf.ConfigProto(gpu_options=opts)) as s: print(s.run(tf.constant(1)))
