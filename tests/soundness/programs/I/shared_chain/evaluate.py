import a
import b
import tensorflow as tf
with tf.Session() as s:
    print(s.run(a.net()), s.run(b.net()))
