import importlib

import tensorflow as tf

config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
getattr(importlib, "import_module")("other")
sess = tf.Session(config=config)
print(sess.run(tf.constant(1)))
