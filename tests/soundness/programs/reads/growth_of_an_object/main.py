import tensorflow as tf
import conf
config = tf.ConfigProto()
config.gpu_options.allow_growth = conf.cfg.a
sess = tf.Session(config=config)
print(sess.run(tf.constant(1.)))
