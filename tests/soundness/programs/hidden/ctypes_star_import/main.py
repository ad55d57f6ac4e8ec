import tensorflow as tf
from vals import *
config = tf.ConfigProto(gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=0.3))
with tf.Session(config=config) as s: print(s.run(tf.constant(1)))
