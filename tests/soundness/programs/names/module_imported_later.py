"""TensorFlow has a second name, which is imported after the session."""

import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))

import tensorflow

print(len(tensorflow.config.list_physical_devices("GPU")))
