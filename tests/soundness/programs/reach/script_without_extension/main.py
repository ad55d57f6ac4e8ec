import tensorflow as tf
from pkg.sess import make
c = tf.ConfigProto()
c.gpu_options.allow_growth = True
with make(c) as s: print(s.run(tf.placeholder_with_default(1, [])))
