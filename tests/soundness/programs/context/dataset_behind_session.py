"""A dataset's map behind the only session: nothing is to be put back."""
# expect: safe

import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
data = tf.data.Dataset.range(3).map(lambda x: x + 1)
print(data.element_spec.dtype.name)
