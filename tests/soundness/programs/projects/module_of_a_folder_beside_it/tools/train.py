import os, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'lib'))
import tensorflow as tf
from utils import make_config
with tf.Session(config=make_config()) as sess:
    print(sess.run(tf.constant(1.0)))
