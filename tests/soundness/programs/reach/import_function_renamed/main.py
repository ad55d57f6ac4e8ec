from importlib import import_module as load

import tensorflow as tf

config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
load("other")
sess = tf.Session(config=config)
print(sess.run(tf.constant(1)))
