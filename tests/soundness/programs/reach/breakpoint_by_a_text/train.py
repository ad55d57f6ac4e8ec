import os

import tensorflow as tf

config = tf.ConfigProto(allow_soft_placement=True)
sess = tf.Session(config=config)
print(sess.run(tf.constant(1)))
os.environ["PYTHONBREAKPOINT"] = "ref.ref"
breakpoint()
