import b
import tensorflow as tf
with tf.Session() as s:
    print(s.run(b.net()))
