"""device_count GPU 1 with growth, then a dataset with map: it must not raise."""

import tensorflow as tf

config = tf.ConfigProto(device_count={"GPU": 1})
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
data = tf.data.Dataset.range(3).map(lambda x: x + 1)
print(data.element_spec.dtype.name)
