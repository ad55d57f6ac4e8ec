"""Growth that comes too late before the migration is as late after it, and reported both times."""
# expect: safe

import tensorflow as tf

first = tf.ConfigProto(allow_soft_placement=True)
with tf.Session(config=first) as session:
    print(session.run(tf.constant(1)))
second = tf.ConfigProto()
second.gpu_options.allow_growth = True
with tf.Session(config=second) as session:
    print(session.run(tf.constant(1)))
