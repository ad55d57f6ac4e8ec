import lib
import tensorflow as tf

lib.__all__ = ['sess', 'config']
from lib import *

print(sess.run(tf.constant(1)))
