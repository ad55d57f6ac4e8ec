from net import out
import tensorflow as tf
sess = tf.Session(config=tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True)))
print(sess.run(out(), {"x:0": 1.}))
