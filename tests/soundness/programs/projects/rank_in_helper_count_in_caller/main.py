import tensorflow as tf
from dist import make_config

config = make_config()
config.device_count['GPU'] = 1
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1.0)))
