"""A class of sessions is looked up by a computed name, in TensorFlow that a loop has."""

import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
config = tf.ConfigProto(log_device_placement=True)
sess = tf.Session(config=config)
print(sess.run(tf.constant(1)))
for module in (tf,):
    print(getattr(module, "S" + "ession")().run(tf.constant(2)))
