"""Options are None together with a number, and an item of a dictionary with the config."""
# expect: safe

import tensorflow as tf

state = {}
gpu_options = number = None
state["best"] = config = None
gpu_options = tf.GPUOptions(allow_growth=True)
config = tf.ConfigProto(gpu_options=gpu_options)
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)), number, state)
