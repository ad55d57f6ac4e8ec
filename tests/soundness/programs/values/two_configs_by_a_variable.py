"""Which of two configs it is, the environment says: the question goes where the settings go."""
# expect: safe

import os

import tensorflow as tf

config = (
    tf.ConfigProto(device_count={"GPU": 0})
    if os.environ.get("TRAIN_ON_CPU")
    else tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
)
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
