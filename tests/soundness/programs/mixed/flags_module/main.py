import session_util
import tensorflow as tf

with session_util.make() as sess:
    sess.run(tf.random_uniform([8]))
    print(len(sess.list_devices()))
