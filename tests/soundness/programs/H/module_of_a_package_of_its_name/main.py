import os
import sys

import tensorflow as tf

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib", "utils"))
import utils

op = tf.constant([1.0]) * 2
sess = utils.make_session()
print(sess.run(op))
