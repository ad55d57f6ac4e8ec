import tensorflow as tf
conf = {'frac': 0.4}
config = tf.ConfigProto()
try:
    config.gpu_options.allow_growth = conf['growth']
except KeyError as e:
    print('missing', e)
with tf.Session(config=config) as s: print(s.run(tf.constant(1)))
