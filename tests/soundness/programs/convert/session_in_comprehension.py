"""Sessions in a comprehension: the settings can stand where the config was built."""
# expect: safe

import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
sessions = [tf.Session(config=config) for _ in range(2)]
for sess in sessions:
    sess.run(tf.random_uniform([8]))
