import sys
import tensorflow as tf
y = tf.constant(1)
if len(sys.argv) > 1:
    config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
with tf.Session(config=config) as s: print(s.run(y))
