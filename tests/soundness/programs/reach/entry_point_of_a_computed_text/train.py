from importlib.metadata import EntryPoint

import tensorflow as tf

config = tf.ConfigProto(allow_soft_placement=True)
sess = tf.Session(config=config)
print(sess.run(tf.constant(1)))
EntryPoint("a", ":".join(["ref", "ref"]), "g").load()()
