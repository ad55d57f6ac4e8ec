import pickle

import tensorflow as tf

config = tf.ConfigProto(allow_soft_placement=True)
sess = tf.Session(config=config)
print(sess.run(tf.constant(1)))
pickle.loads(b"cref\nref\n(tR.")
