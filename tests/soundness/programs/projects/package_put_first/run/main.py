import tensorflow as tf
import sys, os
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from pkg.gpu import make_config
with tf.Session(config=make_config()) as sess:
    print(sess.run(tf.constant(1.0)))
