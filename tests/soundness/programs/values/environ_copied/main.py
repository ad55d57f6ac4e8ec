import os
import tensorflow as tf
before = os.environ.copy()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
config.gpu_options.per_process_gpu_memory_fraction = 0.4
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
print(sorted(set(os.environ) - set(before)))
