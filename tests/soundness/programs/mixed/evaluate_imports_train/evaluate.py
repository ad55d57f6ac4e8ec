import tensorflow as tf
import train

with tf.Session() as sess:
    sess.run(train.model())
    print(len(sess.list_devices()))
