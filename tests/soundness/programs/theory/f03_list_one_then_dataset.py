"""visible_device_list "1", then a dataset with map: no bracket may show GPU 0 again."""

import tensorflow as tf

config = tf.ConfigProto(gpu_options=tf.GPUOptions(visible_device_list="1"))
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
value = tf.data.make_one_shot_iterator(tf.data.Dataset.range(3).batch(2)).get_next()
with tf.Session(config=config) as sess:
    print(sess.run(value).shape)
