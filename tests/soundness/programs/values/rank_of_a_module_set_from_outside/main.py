import os
import sys
import tensorflow as tf
import dist
dist.RANK = os.environ.get("LOCAL_RANK", 0)
config = tf.ConfigProto()
config.gpu_options.visible_device_list = str(dist.local_rank())
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1) + 1))
