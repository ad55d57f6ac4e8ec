import tensorflow as tf
config = tf.ConfigProto()
try:
    config.gpu_options.allow_growth = growth
except NameError:
    print('no growth')
with tf.Session(config=config) as s:
    print(s.run(tf.constant(1)))
