import tensorflow as tf

with tf.Session(config=tf.ConfigProto(device_count={"GPU": 1})) as sess:
    sess.run(tf.random_uniform([8]))

import check

print(check.COUNT)
