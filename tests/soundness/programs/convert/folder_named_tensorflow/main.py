import tensorflow as tf

import lib.tensorflow as tools


def name_of(module):
    return module.__name__


config = tf.ConfigProto()
config.gpu_options.allow_growth = True
print(name_of(tools))
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
