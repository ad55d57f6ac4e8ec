import tensorflow as tf
import settings
config = tf.ConfigProto()
config.gpu_options.allow_growth = settings.growth
sess = tf.Session(config=config)
print(sess.run(tf.constant(1.0)))
