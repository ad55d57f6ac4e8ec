"""TF_FORCE_GPU_ALLOW_GROWTH=false from outside beats growth, with a fraction."""
# variables: TF_FORCE_GPU_ALLOW_GROWTH=false

import tensorflow as tf

options = tf.GPUOptions(allow_growth=True, per_process_gpu_memory_fraction=0.5)
with tf.Session(config=tf.ConfigProto(gpu_options=options)) as sess:
    sess.run(tf.random_uniform([8]))
