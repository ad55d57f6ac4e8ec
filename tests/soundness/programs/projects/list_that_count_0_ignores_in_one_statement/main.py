import sys
import tensorflow as tf

config = tf.ConfigProto(
    device_count={'GPU': 0 if '--cpu' in sys.argv else 1},
    gpu_options=tf.GPUOptions(visible_device_list='1'))
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1.0)))
