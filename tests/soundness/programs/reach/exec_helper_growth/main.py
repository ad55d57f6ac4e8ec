import tensorflow as tf
config = tf.ConfigProto()
exec(open('settings.py').read())
config.gpu_options.allow_growth = True
with tf.Session(config=config) as s: print(s.run(tf.constant(1)))
