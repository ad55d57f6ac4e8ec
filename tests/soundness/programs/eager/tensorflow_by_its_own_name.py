"""`tf` is compat.v1 by then, so that the program runs on TensorFlow 2 as it is."""
# tensorflow: 2

import tensorflow as tf

tf = tf.compat.v1
tf.disable_v2_behavior()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
step = tf.train.get_or_create_global_step()
with tf.train.MonitoredTrainingSession(config=config) as sess:
    print(sess.run(step))
