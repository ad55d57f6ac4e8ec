import lib
import tensorflow as tf

tf.flag = 1
sess = lib.make()
print(sess.run(tf.constant(1)))
