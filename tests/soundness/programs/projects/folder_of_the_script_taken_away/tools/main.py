import tensorflow as tf
import sys, os
root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.pop(0)
sys.path.append(root)
from gpu import make_config
with tf.Session(config=make_config()) as sess:
    print(sess.run(tf.constant(1.0)))
