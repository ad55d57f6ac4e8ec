import tensorflow as tf
from lib import *

print(sess.run(tf.constant(1)))
