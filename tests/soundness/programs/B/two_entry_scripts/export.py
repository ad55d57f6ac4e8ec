import sessions
import tensorflow as tf

sessions.cpu_session().run(tf.random_uniform([8]))
with tf.Session() as sess:
    print(len(sess.list_devices()))
