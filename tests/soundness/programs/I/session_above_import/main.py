from gpu import Setup
sess = Setup()
import tensorflow as tf

x = tf.placeholder(tf.float32, [])
print(sess.run(x * 2, {x: 3.0}))
