"""A loop: session, then a dataset with filter; at the end a plain session."""

import tensorflow as tf

for epoch in range(2):
    with tf.Graph().as_default():
        config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
        with tf.Session(config=config) as sess:
            sess.run(tf.random_uniform([8]))
        tf.data.Dataset.range(3).filter(lambda x: x > 1)
with tf.Session() as sess:
    print(len(sess.list_devices()))
