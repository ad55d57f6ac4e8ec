import sys
import tensorflow as tf
from gpu import make_config
config = make_config()
if '--cpu' in sys.argv:
    config.device_count['GPU'] = 0
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1.0)))
