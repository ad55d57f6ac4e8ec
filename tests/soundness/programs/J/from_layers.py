"""`from tensorflow.layers import ...` beside `import tensorflow as tf`: both are switched or none."""

import tensorflow as tf
from tensorflow.train import get_or_create_global_step

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
step = get_or_create_global_step()
with tf.Session(config=config) as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(step))
