import sys
sys.path.append('lib')
import tensorflow as tf
import nets
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
y = nets.build()
with tf.Session(config=config) as s:
    s.run(tf.global_variables_initializer()); print(s.run(y).shape)
