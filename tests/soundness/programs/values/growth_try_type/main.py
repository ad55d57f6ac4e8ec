import os
import tensorflow as tf
val = os.environ.get('GROWTH', 'true')
config = tf.ConfigProto()
try:
    config.gpu_options.allow_growth = val
except TypeError as e:
    print('TypeError'); config.gpu_options.allow_growth = True
with tf.Session(config=config) as s: print(s.run(tf.constant(1)))
