import losses
import tensorflow as tf

sess = tf.Session(config=tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True)))
sess.run(losses.square(tf.random_uniform([8])))
