import os
import tensorflow as tf
try:
    config = tf.ConfigProto(allow_soft_placement=os.environ.get('SOFT', 'no'))
except TypeError:
    print('TypeError'); raise SystemExit(2)
with tf.Session(config=config) as s: print(s.run(tf.constant(1)))
