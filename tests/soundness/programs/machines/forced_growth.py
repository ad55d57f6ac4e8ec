"""TF_FORCE_GPU_ALLOW_GROWTH from outside beats the config."""
# variables: TF_FORCE_GPU_ALLOW_GROWTH=true

import tensorflow as tf

config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=False))
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
