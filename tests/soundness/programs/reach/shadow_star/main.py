from setup_gpu import *
import tensorflow as tf
try:
    print(gpu)
except NameError:
    print('no gpu')
print(sess.run(tf.constant(1)))
print(sorted(n for n in dir() if not n.startswith('_')))
