import tensorflow as tf
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
sess = tf.Session(config=config)
print(type(sess).__name__, isinstance(sess, tf.Session), sess.__class__ is tf.Session)
