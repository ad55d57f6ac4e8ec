import conf
import tensorflow as tf

with tf.Session(config=conf.session_config) as sess:
    print(sess.run(tf.constant(3.0)))
