import inputs
import tensorflow as tf

with tf.Session() as sess:
    sess.run(tf.random_uniform([8]))
batch = inputs.Pipeline(3).batch()
with tf.Session(config=tf.ConfigProto(device_count={"GPU": 1})) as sess:
    print(sess.run(batch), len(sess.list_devices()))
